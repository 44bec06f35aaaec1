const pascalCase = (name) => name.replace(/(?:^|[-_])(.)/g, (_, letter) => letter.toUpperCase());

// The names that the place of use determines.
const usedNames = {
  Header: ({ key }) => [key],
  Example: ({ key }) => [key],
  // A generator that makes types of parameters must not meet a schema of the same name. A filter may have the name of a path
  // parameter.
  Parameter: (_, parameter) =>
    ['Parameter', ...(parameter?.in === 'query' ? ['FilterParameter'] : [])].map(
      (ending) => pascalCase(parameter?.name ?? '') + ending,
    ),
};

/** The bundle names a component after the last part of the reference: it is part of the contract. */
export function componentNames() {
  return {
    ref({ $ref }, ctx, { node }) {
      const names = usedNames[ctx.type.name]?.(ctx, node);
      if (!names || names.some((name) => $ref.endsWith(`/${name}`))) return;
      ctx.report({ message: `Name the component ${names[0]}.`, location: ctx.location.child('$ref') });
    },
  };
}

/** Redocly's `spec-ref-siblings` covers every type but path items, whose other keywords a `$ref` hides. */
export function plainPathRefs() {
  return {
    ref(ref, { location, report, type }) {
      if (type.name !== 'PathItem') return;
      for (const keyword of Object.keys(ref)) {
        if (keyword === '$ref') continue;
        const message = `Move \`${keyword}\` to the referenced file: it is ignored beside \`$ref\`.`;
        report({ message, location: location.child(keyword).key() });
      }
    },
  };
}

/** The contract is complete without a network. */
export function localRefs() {
  return {
    ref({ $ref }, { location, report }) {
      if (!/^[a-z]+:\/\//i.test($ref)) return;
      report({ message: 'Copy the component into `spec/` and refer to the file.', location: location.child('$ref') });
    },
  };
}
