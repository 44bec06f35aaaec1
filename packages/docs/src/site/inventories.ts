import { fileURLToPath } from 'node:url';
import licensePlugin from 'rollup-plugin-license';
import sbom from 'rollup-plugin-sbom';
import type { SiteConfig } from 'vitepress';

// Its types describe `exports.default`, but the function is `module.exports`.
const license = licensePlugin as unknown as typeof licensePlugin.default;
const licenses = fileURLToPath(new URL('../../.vitepress/dist/LICENSES.txt', import.meta.url));

/** Adds LICENSES.txt and sbom.cdx.json to a site: the libraries in its scripts. */
export function addInventories(site: SiteConfig): void {
  const plugins = [
    license({ thirdParty: { output: licenses, multipleVersions: true } }),
    sbom({ outDir: '.', outFilename: 'sbom.cdx', saveTimestamp: false, includeWellKnown: false }),
  ];
  const apply = (_: unknown, { isSsrBuild }: { isSsrBuild?: boolean }): boolean => !isSsrBuild;
  site.vite = {
    ...site.vite,
    plugins: plugins.map((plugin) => ({ ...plugin, apply })),
    build: {
      rollupOptions: {
        onwarn(warning, warn) {
          // The second plugin takes the dependencies of VitePress for errors, because it looks for them beside package.json.
          if (!warning.message.includes('Error during auto-registration of tool')) warn(warning);
        },
      },
    },
  };
}
