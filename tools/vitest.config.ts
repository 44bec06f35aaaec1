import type { ViteUserConfig } from 'vitest/config';
import { common, fromSources } from './vitest/config.ts';

const config: ViteUserConfig = { ...fromSources, test: common };
export default config;
