// A component is a file of its own here, and an entry of `components` once it is bundled.
const component = /^#\/$|^#\/components\/schemas\/[^/]+$/;
const property = /\/properties\/[^/]+$/;

/** Redocly's own rules see to operations, parameters and responses, `rule/header-description` to headers. */
export function describedSchemas() {
  return {
    Schema(schema, { location, report }) {
      if (schema.description || !(component.test(location.pointer) || property.test(location.pointer))) return;
      report({ message: 'Say what this is in a `description`.', location });
    },
  };
}
