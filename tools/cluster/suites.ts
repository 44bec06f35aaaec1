import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitWithParent } from '../processes/exit-with-parent.ts';

/** The numbers of tests in a folder. */
export interface Suite {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
}

const folder = fileURLToPath(new URL('../../test/', import.meta.url));

/** The report of vitest's reporter `json`. */
interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/**
 * Runs the tests against a cluster, and prints what they print.
 * @param paths parts of the paths of test files; all when empty
 * @returns the numbers of each folder
 */
export async function runSuites(paths: string[], signal: AbortSignal): Promise<Suite[]> {
  const output = await mkdtemp(join(tmpdir(), 'waybill-suites-'));
  const file = join(output, 'report.json');
  const vitest = join(
    dirname(createRequire(join(folder, 'package.json')).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  // Two instances run for each service of a test: more workers would only wait for each other.
  const child = spawn(process.execPath, [vitest, 'run', '--maxWorkers=2', ...reporters, ...paths], {
    cwd: folder,
    env: { ...process.env, TEST_CLUSTER: 'true' },
    stdio: 'inherit',
  });
  exitWithParent(child);
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    await once(child, 'exit');
    signal.throwIfAborted();
    return suitesOf(JSON.parse(await readFile(file, 'utf8')) as Report);
  } finally {
    signal.removeEventListener('abort', stop);
    await rm(output, { recursive: true });
  }
}

function suitesOf({ testResults }: Report): Suite[] {
  const byFolder = Map.groupBy(testResults, ({ name }) => relative(folder, name).split(sep)[0] ?? '');
  return [...byFolder].sort().map(([name, files]) => {
    const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
    // A file that cannot be loaded, or whose fixtures fail at its end, has no failed test.
    const broken = files.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
    );
    const passed = statuses.filter((status) => status === 'passed').length;
    const failed = statuses.filter((status) => status === 'failed').length;
    return { name, passed, failed: failed + broken.length, skipped: statuses.length - passed - failed };
  });
}
