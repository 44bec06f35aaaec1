#!/usr/bin/env node
import { runCommand } from './cli/run.ts';

const code = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
if (code !== 0) process.exit(code); // whatever a failed command left open
