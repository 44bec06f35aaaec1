import { type Document, nameIn, operationsOf, type Response, resolve } from './document.ts';

const source = (value: unknown): string => JSON.stringify(value, null, 2);

/** The media type, the names of the required headers, and the names of the example bodies. */
function responseRow({ components }: Document, { headers = {}, content = {} }: Response): string {
  const [[type, { examples = {} }] = [null, {}]] = Object.entries(content);
  const required = Object.keys(headers).filter((name) => resolve(components.headers, headers[name] ?? {}).required);
  return JSON.stringify({ type, headers: required, examples: Object.values(examples).map(({ $ref }) => nameIn($ref)) });
}

/** The responses of each operation, and the example headers and bodies that they name. */
export function exampleTables(document: Document): string {
  const { examples, headers } = document.components;
  const operations = operationsOf(document).map(({ operationId, responses }) => {
    const rows = Object.entries(responses).map(
      ([status, value]) => `    ${status}: ${responseRow(document, value)},\n`,
    );
    return `  ${operationId}: {\n${rows.join('')}  },\n`;
  });
  const table = operations.join('');
  const used = <T>(entries: Record<string, T>) =>
    Object.entries(entries).filter(([name]) => table.includes(`"${name}"`));
  const bodies = used(examples).map(([name, { value }]) => [name, value]);
  const values = used(headers).map(([name, { example }]) => [name, String(example)]);
  return `
/** Operation → status → media type, required headers, and the names of the example bodies: the first is the default. */
export const responses = {
${table}} as const;

/** The example headers by name. */
export const headers: Record<string, string> = ${source(Object.fromEntries(values))};

/** The example bodies by name. */
export const bodies: Record<string, unknown> = ${source(Object.fromEntries(bodies))};
`;
}
