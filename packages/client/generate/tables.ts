import { eventData } from '@waybill/contract/events';
import { defaultBaseUrl, operationTable as operations } from '@waybill/contract/operations';
import { type Document, nameIn, type OperationRow, operationsOf, type Response, resolve } from './document.ts';

const source = (value: unknown): string => JSON.stringify(value, null, 2);
const constant = (name: string, type: string, value: unknown): string =>
  `export const ${name}: ${type} = ${source(value)};\n`;

/** What the client has to know of an operation at run time. Absent members are false or empty. */
function row({ operationId, method, path, scope, parameters, body, responses }: OperationRow): Record<string, unknown> {
  const query = parameters.flatMap((parameter) => (parameter.in === 'query' ? parameter.name : []));
  const takes = (header: string) => parameters.some(({ name }) => name === header);
  const { member } = operations[operationId as keyof typeof operations];
  return {
    method,
    path,
    ...(member && { member }),
    ...(scope === null && { signed: true }),
    ...(query.length > 0 && { query }),
    ...(body && { body: body === 'file' ? 'file' : 'json' }),
    ...(takes('Idempotency-Key') && { keyed: true }),
    ...((takes('If-None-Match') || takes('If-Match')) && { conditional: true }),
    ...(responses[200]?.content?.['text/event-stream'] && { stream: true }),
  };
}

/** The tables that the client needs at run time. */
export function operationTable(document: Document): string {
  const { schemas } = document.components;
  const lifecycle = Object.entries(schemas.ShipmentStatus?.['x-lifecycle'] ?? {});
  const next = lifecycle.map(([status, { rank }]) => [
    status,
    lifecycle.flatMap(([to, row]) => ((row.from?.includes(status) ?? row.rank > rank) ? to : [])),
  ]);
  const problems = Object.entries(schemas.ProblemCode?.['x-problems'] ?? {});
  const rows = operationsOf(document).map((operation) => [operation.operationId, row(operation)]);
  return `import type { operations, paths } from './types.ts';

/** The version of the contract, which is that of the package. */
${constant('version', 'string', document.info.version)}
/** The default base URL. Its path is the major version. */
${constant('defaultBaseUrl', 'string', defaultBaseUrl)}
/** The size of the largest file, in bytes. */
${constant('maxFileBytes', 'number', schemas.ProofUploadRequest?.properties?.size?.maximum)}
export interface OperationRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: keyof paths;
  /** A member that the JSON of each success has. */
  member?: string;
  /** The request needs a signed URL instead of an API key. */
  signed?: boolean;
  /** The names of the query parameters. */
  query?: string[];
  body?: 'json' | 'file';
  /** Takes \`Idempotency-Key\`. */
  keyed?: boolean;
  /** Takes \`If-None-Match\`, or for a change \`If-Match\`. */
  conditional?: boolean;
  /** The response is a stream of events. */
  stream?: boolean;
}

${constant('operationTable', 'Record<keyof operations, OperationRow>', Object.fromEntries(rows))}
/** Status → the statuses that can follow it. */
${constant('nextStatuses', 'Record<string, string[]>', Object.fromEntries(next))}
/** Code → the additional members that its problems always have. */
export const problemMembers = ${source(Object.fromEntries(problems.flatMap(([code, { members }]) => (members ? [[code, members]] : []))))} as const;

/** Event type → the property of \`data\` that its events always have. */
export const eventMembers = ${source(eventData)} as const;
`;
}

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
${constant('headers', 'Record<string, string>', Object.fromEntries(values))}
/** The example bodies by name. */
${constant('bodies', 'Record<string, unknown>', Object.fromEntries(bodies))}`;
}
