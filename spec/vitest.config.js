import { defineConfig } from 'vitest/config';

// Safety nets, which name what hangs: linting all defects takes as long as the machine is slow.
export default defineConfig({ test: { testTimeout: 300_000, hookTimeout: 300_000 } });
