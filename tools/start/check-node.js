// Plain JavaScript, loaded before main.ts: an old Node cannot parse TypeScript, not even to print this message.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const required = 24;
if (Number(process.versions.node.split('.')[0]) < required) {
  console.error(
    `Waybill needs Node ${required}, which its installation provides, but this is Node ${process.version}: the installation is incomplete.
Run \`npx -y pnpm@12 install\`, fix the errors that it prints, and start again.`,
  );
  process.exit(1);
}

// Compiled code is stored for the next start, also by the programs that this one starts.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
