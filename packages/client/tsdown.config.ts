import { defineConfig, type UserConfig } from 'tsdown';

/** Builds the published package: one file with its declarations, without dependencies. */
const config: UserConfig = defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  dts: { oxc: true },
  deps: { onlyBundle: ['openapi-fetch'] },
  copy: [{ from: 'node_modules/openapi-fetch/LICENSE', to: 'dist', rename: 'LICENSE-openapi-fetch' }],
});

export default config;
