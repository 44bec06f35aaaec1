import { fileURLToPath } from 'node:url';
import licensePlugin from 'rollup-plugin-license';
import sbom from 'rollup-plugin-sbom';
import { defineConfig, type UserConfig } from 'tsdown';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;
const docs = fileURLToPath(new URL('dist', import.meta.resolve('@waybill/docs/package.json')));
const withoutOlderZod = fileURLToPath(import.meta.resolve('@waybill/mcp/without-older-zod'));
const withoutValidation = fileURLToPath(import.meta.resolve('@waybill/http/without-validation'));

/**
 * What is deployed: the command with the contract and all libraries, because Node takes long to find and load their 800
 * files; and beside it the docs and the files of `deploy/`.
 */
const config: UserConfig = defineConfig({
  entry: { waybill: 'src/main.ts' },
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
  alias: { '@seriousme/openapi-schema-validator': withoutValidation, 'zod-to-json-schema': withoutOlderZod },
  copy: [
    { from: docs, to: 'dist', rename: 'docs' },
    { from: '../../deploy', to: 'dist' },
  ],
  deps: { alwaysBundle: [/./], onlyBundle: false },
  plugins: [
    license({ thirdParty: { output: 'dist/LICENSES.txt', multipleVersions: true } }),
    sbom({ outDir: '.', outFilename: 'sbom.cdx', saveTimestamp: false, includeWellKnown: false }),
  ],
});

export default config;
