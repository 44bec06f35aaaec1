const nameOf = ($ref) =>
  $ref
    .split('/')
    .at(-1)
    .replace(/\.yaml$/, '');

const pascalCase = (name) => name.replace(/(?:^|[-_])(.)/g, (_, letter) => letter.toUpperCase());

// How the place of use names a component. Others, such as schemas, have their file's name only.
const usedNames = {
  PathItem: ({ key }) => key.replace(/^[/]/, '').replaceAll('/', '_'), // a webhook has a name in place of a path
  Header: ({ key }) => key,
  Example: ({ key }) => key,
  // A generator that makes types of parameters must not meet a schema of the same name.
  Parameter: (_, parameter) => `${pascalCase(parameter?.name ?? '')}Parameter`,
};

/** The bundle names a component after its file: the file's name is part of the contract. */
export function componentNames() {
  const files = new Map();
  return {
    ref({ $ref }, ctx, { node, location: target }) {
      if (!target) return;
      const location = ctx.location.child('$ref');
      const name = usedNames[ctx.type.name]?.(ctx, node) ?? nameOf($ref);
      if (name !== nameOf($ref)) ctx.report({ message: `Rename the file to ${name}.yaml.`, location });

      const id = `${ctx.type.name} ${name}`;
      const first = files.get(id) ?? target.absolutePointer;
      files.set(id, first);
      if (first !== target.absolutePointer) {
        ctx.report({ message: `Rename one of the two files: the bundle can have only one ${id}.`, location });
      }
    },
  };
}
