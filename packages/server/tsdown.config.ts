import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';

/** What is deployed: one file for the command, with the contract inside, and the docs and the libraries beside it. */
const config: UserConfig = defineConfig({
  entry: { waybill: 'src/main.ts' },
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
  outputOptions: { codeSplitting: false },
  copy: {
    from: fileURLToPath(new URL('dist', import.meta.resolve('@waybill/docs/package.json'))),
    to: 'dist',
    rename: 'docs',
  },
  deps: { alwaysBundle: [/^@waybill\//] },
});

export default config;
