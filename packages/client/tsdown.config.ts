import { defineConfig, type UserConfig } from 'tsdown';

/** What is published: one file, its declarations, no dependency. */
const config: UserConfig = defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  dts: { oxc: true },
  deps: { onlyBundle: ['openapi-fetch'] },
  copy: [{ from: 'node_modules/openapi-fetch/LICENSE', to: 'dist', rename: 'LICENSE-openapi-fetch' }],
});

export default config;
