import { basePath, defaultOrigin, type Operation } from './contract.ts';
import { json } from './markdown.ts';

const keyVariable = 'WAYBILL_API_KEY';
const image = { type: 'image/png', file: 'signature.png' };

/** A shell command that sends an operation's request, with the examples of the contract. */
export function curlSample(operation: Operation): string {
  const { method, path, scope, body } = operation;
  const { query, url } = requestOf(operation);
  const options = [
    ...(isStream(operation) ? ['-N'] : []),
    ...(method === (body['application/json'] ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
    ...(scope ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...operation.parameters
      .filter(({ name }) => name === 'Idempotency-Key')
      .map(({ name, example }) => `-H '${name}: ${example}'`),
  ];
  const example = exampleBody(operation);
  if (example !== undefined)
    options.push("-H 'Content-Type: application/json'", `-d ${quoted(json(example)).replaceAll('\n', '\n  ')}`);
  else if (method === 'PUT') options.push(`-H 'Content-Type: ${image.type}'`, `--data-binary @${image.file}`);
  else if (path.startsWith('/files')) options.push(`-o ${image.file}`);
  const address = `${defaultOrigin}${basePath}${url}`;
  return [`curl ${query ? `'${address}?${query}'` : address}`, ...options].join(' \\\n  ');
}

/** A program that calls an operation through the client, with the examples of the contract. */
export function typescriptSample(operation: Operation): string {
  const { operationId, parameters, method } = operation;
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const values = (place: string) => inPlace(place).map(({ name, example }) => `${name}: ${literal(example)}`);
  const example = exampleBody(operation);
  const entries = [
    ...(inPlace('path').length > 0 ? [`path: { ${values('path').join(', ')} }`] : []),
    ...(queryOf(operation).length > 0
      ? [
          `query: { ${queryOf(operation)
            .map(({ name, example }) => `${name}: ${literal(example)}`)
            .join(', ')} }`,
        ]
      : []),
    ...(example !== undefined ? [`body: ${literal(example)}`] : []),
    ...(method === 'PUT' ? [`body: new Blob([await readFile('${image.file}')], { type: '${image.type}' })`] : []),
  ];
  const isFile = operation.path.startsWith('/files');
  const noResult = operation.responses['204'];
  const imported = method === 'PUT' ? 'readFile' : isFile ? 'writeFile' : '';
  if (isStream(operation)) return [...head, streamLoop].join('\n');
  const sent = entries.length > 0 ? `{\n${indented(`${entries.join(',\n')},`)}\n}` : '';
  const call = `client.${operationId}(${sent})`;
  return [
    ...(imported ? [`import { ${imported} } from 'node:fs/promises';`] : []),
    ...head,
    noResult ? `await ${call};` : `const { data } = await ${call};`,
    ...(noResult ? [] : [isFile ? `await writeFile('${image.file}', data.stream());` : 'console.log(data);']),
  ].join('\n');
}

const head = [
  "import { createClient } from '@waybill/client';",
  '',
  'const client = createClient({',
  `  apiKey: process.env.${keyVariable} ?? '',`,
  '  baseUrl: process.env.WAYBILL_URL,',
  '});',
];

const isStream = ({ responses }: Operation): boolean => responses['200']?.content?.['text/event-stream'] !== undefined;

/** It ends, so that the sample can be run. */
const streamLoop = `for await (const event of client.stream()) {
  console.log(event);
  if (event.type === 'tracking.status_reached') break;
}`;

/** The query parameters that a sample shows: a cursor and a reference would not match anything. */
const queryOf = ({ parameters }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'query' && ['status', 'limit'].includes(parameter.name));

function requestOf(operation: Operation): { url: string; query: string } {
  const { path, parameters } = operation;
  const url = path.replace(/{(\w+)}/g, (_, name) => String(parameters.find((each) => each.name === name)?.example));
  return {
    url,
    query: queryOf(operation)
      .map(({ name, example }) => `${name}=${example}`)
      .join('&'),
  };
}

const exampleBody = ({ body }: Operation): unknown => Object.values(body['application/json']?.examples ?? {})[0]?.value;

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A JavaScript literal; short ones take one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') return value.includes("'") ? json(value) : `'${value}'`;
  if (typeof value !== 'object' || value === null) return json(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, each]) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : `'${key}'`;
    return isList ? literal(each) : `${name}: ${literal(each)}`;
  });
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const short = `${open}${parts.join(', ')}${close}`;
  return short.length <= 70 && !short.includes('\n')
    ? short
    : `${open.trim()}\n${indented(`${parts.join(',\n')},`)}\n${close.trim()}`;
}
