import type { ViteUserConfig } from 'vitest/config';
import { common } from './vitest/config.ts';

const config: ViteUserConfig = { test: common };
export default config;
