import licensePlugin from 'rollup-plugin-license';
import { defineConfig, type UserConfig } from 'tsdown';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;

/** Builds the published package: the command, with everything that it imports. */
const config: UserConfig = defineConfig({
  entry: { main: 'src/main.ts' },
  platform: 'node',
  target: 'node20',
  dts: false,
  fixedExtension: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  plugins: [license({ thirdParty: { output: 'dist/LICENSES.txt', multipleVersions: true } })],
});

export default config;
