import { relative } from 'node:path';
import { packAll } from './packages.ts';

for (const { path, size } of await packAll(['pnpm'], 'dist')) {
  console.log(`${relative(process.cwd(), path)}  ${(size / 1e6).toFixed(2)} MB`);
}
