import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exitWithParent } from '../processes/exit-with-parent.ts';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const fixture = fileURLToPath(new URL('fixture/', import.meta.url));

test('a run with hanging tests and fixtures ends with an error that names each of them', async () => {
  const child = spawn(process.execPath, [vitest, 'run', '--no-color'], {
    cwd: fixture,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  exitWithParent(child);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const printed = output + errors;
  expect(code, printed).toBe(1);
  expect(printed).toMatch(/FAIL .*hangs\.fixture\.ts > a promise that stays pending\nError: Test timed out in 500ms/);
  expect(printed).toMatch(/FAIL .*hangs\.fixture\.ts > a hook that stays pending\nError: Hook timed out in 500ms/);
  expect(printed).toMatch(/The event loop is blocked.*: .*blocks\.fixture\.ts > a test that blocks the event loop\n/);
  expect(printed).toMatch(/A fixture does not end.*: .*hangs\.fixture\.ts\n/);
});
