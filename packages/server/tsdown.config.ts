import { defineConfig, type UserConfig } from 'tsdown';

/** What is deployed: one file for the command, with the contract inside and the libraries beside it. */
const config: UserConfig = defineConfig({
  entry: { waybill: 'src/main.ts' },
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
  outputOptions: { codeSplitting: false },
  deps: { alwaysBundle: [/^@waybill\//] },
});

export default config;
