import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** How long a test may block the event loop, in milliseconds. */
    blockedLimit: number;
  }
}

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** What all tests have in common: safety nets that name what hangs, so no test needs a bound of its own. */
export const common: ViteUserConfig['test'] & { globalSetup: string[] } = {
  globalSetup: [path('temporary.ts')],
  setupFiles: [path('guard.ts')],
  provide: { blockedLimit: 60_000 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
};
