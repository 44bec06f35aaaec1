import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sendSignal } from '../processes/kill.ts';
import { launch } from './child.ts';
import { root } from './settings.ts';

/** The docs are built into this folder and served from it. */
export const docsDir: string = join(root, 'packages/docs/dist');

/** Builds the docs until disposal; turbo skips the build when their sources have not changed. */
export function buildDocs() {
  // turbo needs pnpm to run the script of the package; npx installs one if necessary.
  const pnpm = process.env.npm_config_user_agent?.startsWith('pnpm/') ? ['pnpm'] : ['npx', '-y', 'pnpm@12'];
  const turbo = ['exec', 'turbo', 'run', 'build', '--filter=@waybill/docs', '--output-logs=errors-only', '--no-color'];
  const env = { TURBO_TELEMETRY_DISABLED: '1' };
  const child = launch([...pnpm, ...turbo], { env, stdio: ['ignore', 'pipe', 'pipe'], group: true });
  const outputs = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  /** Resolves with undefined, or with the first error message of the build. */
  const done = Promise.all([once(child, 'exit'), ...outputs]).then(
    ([[code], ...output]) => (code === 0 ? undefined : errorIn(output.join('\n'))),
    (error: Error) => error.message,
  );
  return {
    done,
    async [Symbol.asyncDispose]() {
      // The process group contains pnpm, turbo and the build. npx ignores SIGTERM while it downloads pnpm.
      if (child.pid && child.exitCode === null && child.signalCode === null) sendSignal(-child.pid, 'SIGKILL');
      await done;
    },
  };
}

function errorIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|cannot|could not|not found/i.test(line)) ?? 'the build failed';
}
