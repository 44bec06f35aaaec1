const prefix = '#/components/schemas/';

/**
 * Writes out references to schemas that have further keywords, such as a `description` of their own. OpenAPI 3.1 allows
 * them, but fastify-openapi-glue and many generators ignore them. A schema without any other reference is removed.
 */
export function mergedReferences() {
  return {
    Root: {
      leave({ paths, webhooks, components }) {
        const merged = new Set();
        const merge = (node) => {
          if (typeof node !== 'object' || node === null) return;
          for (const child of Object.values(node)) merge(child);
          const { $ref, ...keywords } = node;
          if (!$ref?.startsWith?.(prefix) || Object.keys(keywords).length === 0) return;
          const name = $ref.slice(prefix.length);
          merge(components.schemas[name]);
          delete node.$ref;
          Object.assign(node, { ...components.schemas[name], ...keywords });
          merged.add(name);
        };
        merge({ paths, webhooks, components });
        const text = JSON.stringify({ paths, webhooks, components });
        for (const name of merged) if (!text.includes(`"${prefix}${name}"`)) delete components.schemas[name];
      },
    },
  };
}
