// Loaded into `start` and what it starts: a source that imports a build fails, because a clean clone has none.
// The pages have one: tools/install.js builds them.
import module from 'node:module';

// An older Node runs only the package manager.
module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (context.parentURL?.endsWith('.ts') && /\/packages\/(?!pages\/)\w+\/dist\//.test(found.url))
      throw new Error(`${context.parentURL} imports ${found.url}, which only a build makes.`);
    return found;
  },
});
