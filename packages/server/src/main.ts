#!/usr/bin/env node
import { runCommand } from './cli/run.ts';

const code = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
if (code !== 0) process.exit(code); // connections that a failed command left open would keep the process running
