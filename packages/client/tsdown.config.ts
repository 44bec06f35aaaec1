import { defineConfig, type UserConfig } from 'tsdown';

/** Builds the published package: modules and CommonJS with their declarations, without dependencies. */
const config: UserConfig = defineConfig({
  entry: ['src/index.ts', 'src/msw.ts', 'src/webhooks.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  sourcemap: true,
  dts: { oxc: true },
});

export default config;
