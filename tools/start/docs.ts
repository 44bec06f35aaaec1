import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { root } from './settings.ts';

/** Where the docs are built, and served from. */
export const docsDir: string = join(root, 'packages/docs/dist');

/** The docs being built; disposal ends that. */
export interface DocsBuild extends AsyncDisposable {
  /** Resolves with nothing, or with what went wrong, in one line. */
  done: Promise<string | undefined>;
}

/** Brings the docs up to date, in well under a second when the contract and their pages have not changed. */
export function buildDocs(): DocsBuild {
  // turbo runs the package's script through the pnpm that it finds; without one, npx brings it.
  const [file, ...before] = process.env.npm_config_user_agent?.startsWith('pnpm/')
    ? ['pnpm']
    : ['npx', '-y', 'pnpm@12'];
  const args = ['exec', 'turbo', 'run', 'build', '--filter=@waybill/docs', '--output-logs=errors-only', '--no-color'];
  const child = spawn(file ?? 'pnpm', [...before, ...args], {
    cwd: root,
    detached: true,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  exitWithParent(child, { group: true });
  const ended = once(child, 'exit');
  const done = Promise.all([text(child.stdout), text(child.stderr), ended]).then(
    ([out, err, [code]]) => (code === 0 ? undefined : faultIn(`${out}\n${err}`)),
    (error: Error) => error.message,
  );
  const end = () => {
    // The whole group: pnpm, turbo and the build.
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
  };
  const stop = async () => {
    end();
    await done;
  };
  return { done, [Symbol.asyncDispose]: stop };
}

function faultIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|cannot|could not|not found/i.test(line)) ?? 'the build failed';
}
