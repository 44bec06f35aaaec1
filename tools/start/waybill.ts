/**
 * Runs a `waybill` command of this repository. Without DATABASE_URL it has the settings of the demo that `start` runs from
 * WAYBILL_DATA_DIR, so that it administers that one.
 */
import { join } from 'node:path';
import { readDemoFile } from '@waybill/sandbox/demo/demo-file';
import { serverEnvironment } from '@waybill/sandbox/demo/server-environment';
import { readSettings } from '@waybill/sandbox/demo/settings';
import { acceptsConnections } from '@waybill/sandbox/processes/accepts-connections';
import { root, runInForeground } from '../child.ts';

const args = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--'); // pnpm passes the dashes on

/** The settings of the demo; undefined when it does not run. */
async function demoEnvironment(): Promise<NodeJS.ProcessEnv | undefined> {
  const demo = await readDemoFile(readSettings(process.env));
  if (!demo) return undefined;
  const { hostname: host, port } = new URL(demo.database_url);
  if (!(await acceptsConnections({ host, port: Number(port) }))) return undefined;
  const { hostname: HOST, port: PORT } = new URL(demo.base_url);
  const settings = readSettings({ ...process.env, HOST, PORT, BASE_URL: demo.base_url });
  return serverEnvironment(settings, demo.database_url);
}

const env = process.env.DATABASE_URL ? {} : await demoEnvironment();
const isHelp = args.length === 0 || args.some((arg) => ['-h', '--help', 'help', '-V', '--version'].includes(arg));
if (!env && !isHelp) {
  console.error('The demo does not run. Start it with `npx -y pnpm@12 start`, or set DATABASE_URL.');
  process.exit(1);
}
const command = [join(root, 'packages/server/src/main.ts'), ...args];
process.exitCode = await runInForeground([process.execPath, ...command], env);
