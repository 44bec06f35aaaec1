const nameOf = ($ref) =>
  $ref
    .split('/')
    .at(-1)
    .replace(/\.yaml$/, '');

// What a component is called where it is used; the others, such as schemas, go by their file's name alone.
const calls = {
  PathItem: ({ key }) => key.slice(1).replaceAll('/', '_'),
  Header: ({ key }) => key,
  Example: ({ key }) => key,
  Parameter: (_, parameter) => parameter?.name,
};

/** The bundle names a component by its file, so that the file's name is part of the contract. */
export function componentNames() {
  const files = new Map();
  return {
    ref({ $ref }, ctx, { node, location: target }) {
      if (!target) return;
      const location = ctx.location.child('$ref');
      const name = calls[ctx.type.name]?.(ctx, node) ?? nameOf($ref);
      if (name !== nameOf($ref)) ctx.report({ message: `Name the file ${name}.yaml, as what it holds.`, location });

      const id = `${ctx.type.name} ${name}`;
      const first = files.get(id) ?? target.absolutePointer;
      files.set(id, first);
      if (first !== target.absolutePointer) {
        ctx.report({ message: `Rename one of the two files: the bundle has room for one ${id}.`, location });
      }
    },
  };
}
