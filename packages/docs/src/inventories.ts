import { fileURLToPath } from 'node:url';
import licensePlugin from 'rollup-plugin-license';
import sbom from 'rollup-plugin-sbom';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;
const licenses = fileURLToPath(new URL('../.vitepress/dist/LICENSES.txt', import.meta.url));

/** Both list the libraries in the scripts of the site. */
export const inventories: [ReturnType<typeof license>, ReturnType<typeof sbom>] = [
  license({ thirdParty: { output: licenses, multipleVersions: true } }),
  sbom({ outDir: '.', outFilename: 'sbom.cdx', saveTimestamp: false, includeWellKnown: false }),
];
