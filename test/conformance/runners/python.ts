import { join } from 'node:path';
import { isLong } from '../../fixtures/long-form.ts';
import { clientsFolder, startRunner } from '../runner.ts';
import { type ConformanceClient, execute, working, writeAll } from './client.ts';

const program = working(['python3', '-c', 'import httpx'], ['/usr/bin/python3', '-c', 'import httpx']);
const mypy = working(['mypy', '--version']);
const folder = join(clientsFolder, 'python');
const runAll = 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file, run_name="__main__")';

export const python: ConformanceClient = {
  hasTypes: true,
  unavailable: program ? undefined : 'there is no Python with httpx on this machine; .ci/run installs it',
  async start() {
    if (isLong && mypy)
      await execute(mypy, ['--follow-imports=silent', 'waybill/__init__.py', 'sample.py'], { cwd: folder });
    return startRunner(program as string, [join(import.meta.dirname, 'runner.py'), folder]);
  },
  async run(programs, cwd, env) {
    const files = await writeAll(programs, cwd, 'py');
    await execute(program as string, ['-c', runAll, ...files], { cwd, env: { ...env, PYTHONPATH: folder } });
  },
};
