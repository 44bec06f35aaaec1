/** The server's adapter drops what stands beside `$ref`. Redocly's `spec-ref-siblings` covers all but these types. */
export function plainRefs() {
  return {
    ref(ref, { location, report, type }) {
      if (type.name !== 'Schema' && type.name !== 'PathItem') return;
      for (const word of Object.keys(ref)) {
        if (['$ref', 'summary', 'description'].includes(word)) continue;
        const message = `The server drops \`${word}\` beside \`$ref\`. Write it into the component.`;
        report({ message, location: location.child(word).key() });
      }
    },
  };
}

/** The contract is whole without a network. */
export function localRefs() {
  return {
    ref({ $ref }, { location, report }) {
      if (!/^[a-z]+:\/\//i.test($ref)) return;
      report({ message: 'Copy the component into `spec/` and refer to the file.', location: location.child('$ref') });
    },
  };
}
