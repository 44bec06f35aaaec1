import { fileURLToPath } from 'node:url';
import licensePlugin from 'rollup-plugin-license';
import { defineConfig, type UserConfig } from 'tsdown';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;

/** Builds the published package: the command and the module, with everything that they import but Prism. */
const config: UserConfig = defineConfig({
  entry: { main: 'src/main.ts', mock: 'src/mock.ts' },
  platform: 'node',
  target: 'node20',
  dts: { oxc: true },
  fixedExtension: false,
  alias: {
    '@seriousme/openapi-schema-validator': fileURLToPath(import.meta.resolve('@waybill/http/without-validation')),
  },
  deps: { alwaysBundle: [/^(?!@stoplight\/prism-http)/], onlyBundle: false },
  plugins: [license({ thirdParty: { output: 'dist/LICENSES.txt' } })],
});

export default config;
