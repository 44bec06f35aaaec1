import { relative } from 'node:path';
import { command } from '@waybill/sandbox/processes/command-line';
import { runTasks } from '../child.ts';
import usage from './build.usage.json' with { type: 'json' };
import { packAll } from './packages.ts';

const packages = ['server', 'client', 'mock', 'mcp', 'sandbox'].map((name) => `--filter=@waybill/${name}`);

await command({ usage, options: {} }, async () => {
  const code = await runTasks('build', ...packages, '--output-logs=errors-only');
  if (code !== 0) return code;
  for (const { path, size } of await packAll(['pnpm'], 'dist')) {
    console.log(`${relative(process.cwd(), path)}  ${(size / 1e6).toFixed(2)} MB`);
  }
  return 0;
});
