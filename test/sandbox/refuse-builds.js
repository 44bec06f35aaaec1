// Loaded into `start`, and into what it starts: a source that imports a build fails, because a clean clone has none.
// The pages have one, which tools/prepare.js makes. With `?pages` in the URL of this module, that fails, too.
import module from 'node:module';

const refused = import.meta.url.endsWith('?pages')
  ? /\/packages\/(\w+\/dist\/|pages\/build\.ts)/
  : /\/packages\/(?!pages\/)\w+\/dist\//;

// An older Node runs only the package manager.
module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (refused.test(found.url) && (context.parentURL ?? '.ts').endsWith('.ts'))
      throw new Error(`${context.parentURL} imports ${found.url}, which only a build makes.`);
    return found;
  },
});
