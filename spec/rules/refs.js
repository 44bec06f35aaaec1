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
