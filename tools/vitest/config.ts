import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** Longest time that a test may block the event loop, in milliseconds. */
    blockedLimit: number;
  }
}

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Packages are tested from their sources, not as they were last built. */
export const fromSources: Pick<ViteUserConfig, 'ssr' | 'resolve'> = {
  ssr: {
    resolve: { conditions: ['waybill-source', 'node', 'development|production'] },
    noExternal: ['fastify-openapi-glue'],
  },
  resolve: {
    alias: {
      // As in the bundle: fastify-openapi-glue would validate the contract at each start of a service.
      '@seriousme/openapi-schema-validator': path('../../packages/http/src/without-validation.ts'),
      '@waybill/pages': path('../../packages/pages/src'), // their package exports the build, for Node
    },
  },
};

/** Settings of all tests. The timeouts only detect hanging tests, so no test needs a timeout of its own. */
export const common: ViteUserConfig['test'] & { globalSetup: string[] } = {
  globalSetup: [path('global-setup.ts')],
  execArgv: ['--conditions=waybill-source'], // for the threads that a test starts
  setupFiles: [path('hang-detector.ts')],
  provide: { blockedLimit: 60_000 },
  testTimeout: 300_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
};
