/** In place of zod-to-json-schema in a bundle: the SDK has it for schemas of Zod 3, which nobody makes here. */
export const zodToJsonSchema: undefined = undefined;
