import { literal, object } from '@waybill/contract/literal';
import type { Operation } from './contract.ts';
import { json } from './markdown.ts';
import { planTomorrow } from './tomorrow.ts';

const keyVariable = 'WAYBILL_API_KEY';
const urlVariable = 'WAYBILL_URL';

/** Sets the variable from which every sample reads the URL of the service. In a browser it has the URL that serves the page. */
export const setUrl: string = `export ${urlVariable}=https://api.example.com/v1`;

const image = { type: 'image/png', file: 'signature.png' };

/** A shell command that sends an operation's request, with the examples of the contract. */
export function curlSample(operation: Operation): string {
  const { operationId, method, path, scope } = operation;
  const { query, url } = requestOf(operation);
  const example = exampleBody(operation);
  const options = [
    ...(isStream(operation) ? ['-N'] : []),
    ...(method === (example === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...(scope ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...operation.parameters
      .filter(({ name }) => name === 'Idempotency-Key')
      .map(({ name }) => `-H "${name}: ${operationId}-$(date +%s)"`), // another one each time that it is pasted
  ];
  if (example !== undefined)
    options.push("-H 'Content-Type: application/json'", `-d ${quoted(json(example)).replaceAll('\n', '\n  ')}`);
  else if (method === 'PUT') options.push(`-H 'Content-Type: ${image.type}'`, `--data-binary @${image.file}`);
  else if (path.startsWith('/files')) options.push(`-o ${image.file}`);
  const command = [`curl "$${urlVariable}${url}${query && `?${query}`}"`, ...options].join(' \\\n  ');
  const planned = planTomorrow(command, (time) => `"'$TOMORROW'${time}"`);
  // The date on a clock that is 24 hours ahead: all versions of `date` know it.
  return planned === command ? command : `TOMORROW=$(TZ=UTC-24 date +%F)\n${planned}`;
}

/** A program that calls an operation through the client, with the examples of the contract. */
export function typescriptSample(operation: Operation): string {
  const { operationId, parameters, method } = operation;
  const ofPath = parameters.filter((parameter) => parameter.in === 'path');
  const shown = [...ofPath.map(({ name, example }) => [name, example] as const), ...queryOf(operation)];
  const members = [
    ...shown.map(([name, value]) => `${name}: ${literal(value)}`),
    ...Object.entries(exampleBody(operation) ?? {}).map(([name, value]) => `${name}: ${literal(value)}`),
    ...(method === 'PUT' ? [`file: new Blob([await readFile('${image.file}')], { type: '${image.type}' })`] : []),
  ];
  const isFile = operation.path.startsWith('/files');
  const noResult = operation.responses['204'];
  const imported = method === 'PUT' ? 'readFile' : isFile ? 'writeFile' : '';
  if (isStream(operation)) return [...head, streamLoop].join('\n');
  const example = `client.${operationId}(${members.length > 0 ? object(members) : ''})`;
  const call = planTomorrow(example, (time) => `\`\${tomorrow}${time}\``);
  return [
    ...(imported ? [`import { ${imported} } from 'node:fs/promises';`] : []),
    ...head,
    ...(call === example ? [] : [setTomorrow]),
    noResult ? `await ${call};` : `const ${isFile ? 'file' : 'result'} = await ${call};`,
    ...(noResult ? [] : [isFile ? `await writeFile('${image.file}', file.stream());` : 'console.log(result);']),
  ].join('\n');
}

const head = [
  "import { createClient } from '@waybill/client';",
  '',
  `// Reads ${keyVariable} and ${urlVariable}.`,
  'const client = createClient();',
];

const setTomorrow = 'const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);';

const isStream = ({ responses }: Operation): boolean => responses['200']?.content?.['text/event-stream'] !== undefined;

/** It ends, so that the sample can be run. */
const streamLoop = `for await (const event of client.streamEvents()) {
  console.log(event);
  if (event.type === 'tracking.status_reached') break;
}`;

/** The query parameters that samples show. They work for everybody; a cursor or a reference would not. */
const shownQuery = Object.entries({ status: 'in_transit', limit: 25 });

const queryOf = ({ parameters }: Operation) =>
  shownQuery.filter(([shown]) => parameters.some(({ name, in: place }) => place === 'query' && name === shown));

function requestOf(operation: Operation): { url: string; query: string } {
  const { path, parameters } = operation;
  const url = path.replace(/{(\w+)}/g, (_, name) => String(parameters.find((each) => each.name === name)?.example));
  return {
    url,
    query: queryOf(operation)
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
  };
}

/** The example of a JSON body. An empty one need not be sent. */
function exampleBody({ body }: Operation): object | undefined {
  const example = Object.values(body['application/json']?.examples ?? {})[0]?.value as object | undefined;
  return example && Object.keys(example).length > 0 ? example : undefined;
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
