#!/usr/bin/env node
const required = 24;
const installed = Number.parseInt(process.versions.node, 10);
if (installed < required) {
  process.stderr.write(`Waybill needs Node ${required} or later, but this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
process.stderr.on('error', () => {}); // its reader has ended, or its disk is full: there is no other place for messages
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` has what it wants.
  if (error.code !== 'EPIPE') process.stderr.write(`The output cannot be written: ${error.message}.\n`);
  process.exit(1);
});
// An older Node may not be able to load them.
if (process.argv[2] === 'serve') (await import('./cli/garbage-limits.ts')).limitGarbage();
const { runCommand } = await import('./cli/run.ts'); // `serve`: cli/service.ts → cli/serve.ts → app.ts
const { ask } = await import('./cli/output.ts');
const code = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY && process.stdout.isTTY && { ask }),
});
if (code !== 0) process.exit(code); // connections that a failed command left open would keep the process running

export {};
