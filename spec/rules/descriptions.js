// A component is a file in spec/ and an entry of `components` in the bundle.
const component = /^#\/(components\/schemas\/)?[A-Z][^/]+$/;
const property = /\/properties\/[^/]+$/;

/** Redocly's own rules cover operations, parameters and responses; `rule/header-description` covers headers. */
export function describedSchemas() {
  return {
    Schema(schema, { location, report }) {
      if (schema.description || !(component.test(location.pointer) || property.test(location.pointer))) return;
      report({ message: 'Add a `description`.', location });
    },
  };
}
