import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startPostgres } from '../postgres/postgres.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the command. @returns its exit code and the first line of its errors */
const run = (url: string) =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, TEST_DATABASE_URL: url } };
    const child = execFile(process.execPath, ['--conditions=waybill-source', program], options, (_, _out, stderr) =>
      resolve([child.exitCode, stderr.split('\n')[0]]),
    );
  });

test('test:citus runs no tests without a Citus, and says what it needs', async () => {
  expect(await run('')).toEqual([2, 'No Citus: pass --source <folder>, or set TEST_DATABASE_URL.']);
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-citus-'));
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
  const { host } = new URL(postgres.url);
  expect(await run(postgres.url)).toEqual([
    1,
    expect.stringContaining(`The database waybill on ${host} is not that of a Citus coordinator with workers. Run `),
  ]);
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});
