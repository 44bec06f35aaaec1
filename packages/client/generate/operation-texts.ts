import { literal, object } from '@waybill/contract/literal';
import { defaultBaseUrl } from '@waybill/contract/operations';
import { type Document, nameIn, type OperationRow, operationsOf } from './document.ts';

/** What a list and a stream are in the client. */
const pages = 'Await the result for one page, or iterate over it for the items of all pages.';
const stream = `The iteration reconnects after the last event when the stream ends, and when nothing has arrived for 45 s: it never
ends, misses no event and yields none twice. It retries and rejects like \`followEvents\`, and needs a \`fetch\` whose
responses have a \`ReadableStream\` as their body.`;

/** Operation id → the documentation of its method, with an example. */
export const operationTexts = (document: Document): Record<string, string> =>
  Object.fromEntries(operationsOf(document).map((operation) => [operation.operationId, textOf(document, operation)]));

function textOf(document: Document, operation: OperationRow): string {
  const { operationId, method, path, summary, description, scope, deprecated } = operation;
  const codes = codesOf(document, operation).map((code) => `\`${code}\``);
  const isStream = operationId === 'streamEvents';
  const parts = [
    `${summary}.`,
    isStream ? description.split('\n\n')[0]?.trim() : description.trim(),
    isStream ? stream : isList(operation) ? pages : '',
    `\`${method} ${path}\`, ${scope === null ? 'with a signed URL instead of an API key' : `scope \`${scope}\``}.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}
${deprecated ? '\n@deprecated' : ''}
@throws {WaybillError} with the code ${codes.slice(0, -1).join(', ')} or ${codes.at(-1)}
@throws {ConnectionError} when no complete response arrives, \`TimeoutError\` when the time is over
@throws {UnexpectedResponseError} when the response does not come from the service
@throws {AbortError} when \`signal\` aborts
@example
${exampleOf(document, operation)}`;
}

const isList = ({ operationId }: OperationRow): boolean => operationId.startsWith('list');

function exampleOf(document: Document, operation: OperationRow): string {
  const { operationId, path, parameters, requestBody, responses, scope, body } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const values = Object.fromEntries(inPath.map(({ name, example }) => [name, example]));
  const [named] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const url = defaultBaseUrl + path.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  const members = Object.entries({
    ...(scope === null ? { url } : values),
    ...(named && (document.components.examples[nameIn(named.$ref)]?.value as object)),
  }).map(([name, value]) => `${name}: ${literal(value)}`);
  if (body === 'file') members.push("file: new Blob([bytes], { type: 'image/png' })");
  const call = `client.${operationId}(${members.length > 0 ? object(members) : ''})`;
  if (isList(operation)) return `for await (const item of ${call}) console.log(item);`;
  if (operationId === 'streamEvents') return `for await (const event of ${call}) console.log(event.type);`;
  const { content } = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
  if (!content) return `await ${call};`;
  const name = nameIn(content['application/json']?.schema.$ref ?? 'file');
  return `const ${name.charAt(0).toLowerCase()}${name.slice(1)} = await ${call};`;
}

/** The codes of the problems that an operation returns. */
function codesOf({ components }: Document, { responses }: OperationRow): (string | undefined)[] {
  const examples = Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content['application/problem+json']?.examples ?? {}),
  );
  const bodies = examples.map(({ $ref }) => components.examples[nameIn($ref)]?.value as { code: string } | undefined);
  return [...new Set(bodies.map((body) => body?.code))];
}
