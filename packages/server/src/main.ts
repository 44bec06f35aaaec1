#!/usr/bin/env node
const required = 24;
const installed = Number.parseInt(process.versions.node, 10);
if (installed < required) {
  process.stderr.write(`Waybill needs Node ${required} or later, but this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
const { runCommand } = await import('./cli/run.ts'); // an older Node may not be able to load it
const code = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ...(isInteractive && { ask }),
});
if (code !== 0) process.exit(code); // connections that a failed command left open would keep the process running

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  using terminal = createInterface({ input: process.stdin, output: process.stdout });
  return await terminal.question(question);
}

export {};
