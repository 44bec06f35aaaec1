import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { root } from './settings.ts';

/** The docs are built into this folder and served from it. */
export const docsDir: string = join(root, 'packages/docs/dist');

/** A running build of the docs; disposal stops it. */
export interface DocsBuild extends AsyncDisposable {
  /** Resolves with undefined, or with the first error message of the build. */
  done: Promise<string | undefined>;
}

/** Builds the docs; turbo skips the build when their sources have not changed. */
export function buildDocs(): DocsBuild {
  // turbo needs pnpm to run the script of the package; npx installs one if necessary.
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
    ([out, err, [code]]) => (code === 0 ? undefined : errorIn(`${out}\n${err}`)),
    (error: Error) => error.message,
  );
  const end = () => {
    // The process group contains pnpm, turbo and the build.
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
  };
  const stop = async () => {
    end();
    await done;
  };
  return { done, [Symbol.asyncDispose]: stop };
}

function errorIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|cannot|could not|not found/i.test(line)) ?? 'the build failed';
}
