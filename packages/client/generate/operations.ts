import {
  bodyOf,
  type Document,
  isStream,
  nameIn,
  type OperationRow,
  operationsOf,
  type Parameter,
  parametersIn,
  type Schema,
  takesHeader,
} from './document.ts';
import { comment, textOf, typeOf } from './schemas.ts';

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The text of a parameter, with its limits and example. */
function parameterText(document: Document, { description, schema, example }: Parameter): string {
  const { examples: _, description: __, ...limits } = schema;
  const text = textOf(document, { ...(schema.$ref === undefined && limits), description: description.trim() });
  return `${text}\n@example ${JSON.stringify(example)}`;
}

function parameterLines(document: Document, parameters: Parameter[], indent: string): string {
  return parameters
    .map((parameter) => {
      const type = typeOf(document, parameter.schema, 'request');
      const optional = parameter.in === 'path' ? `: ${type}` : `?: ${type} | undefined`;
      return `${comment(parameterText(document, parameter), indent)}${indent}${parameter.name}${optional};\n`;
    })
    .join('');
}

const options: Record<string, string> = {
  'Idempotency-Key': 'idempotencyKey',
  'If-None-Match': 'ifNoneMatch',
};
const optionTexts: Record<string, string> = {
  'Idempotency-Key': '\nDefault: a random UUID. Null sends none, and the request is not retried.',
  'If-None-Match': '\nAbsent or null reads unconditionally.',
};

/** The interface of a method's argument. */
function argumentType(document: Document, operation: OperationRow): string {
  const name = capitalized(operation.operationId);
  const path = parametersIn(operation, 'path');
  const query = parametersIn(operation, 'query');
  const body = bodyOf(operation);
  const lines: string[] = [];
  const pathType = `{\n${parameterLines(document, path, '    ')}  }`;
  if (path.length > 0 && operation.scope !== null) lines.push(`  /** The path parameters. */\n  path: ${pathType};\n`);
  if (query.length > 0) lines.push(`  /** The query parameters. */\n  query?: ${name}Query | undefined;\n`);
  if (body === 'file')
    lines.push('  /** The bytes. The `type` of the Blob is sent as their media type. */\n  body: Blob;\n');
  else if (body) lines.push(`${comment(textOf(document, body), '  ')}  body: ${typeOf(document, body, 'request')};\n`);
  for (const parameter of parametersIn(operation, 'header')) {
    const text = parameterText(document, parameter).replace('\n@example', `${optionTexts[parameter.name]}\n@example`);
    lines.push(`${comment(text, '  ')}  ${options[parameter.name]}?: string | null | undefined;\n`);
  }
  const queryType =
    query.length > 0
      ? `/** Query parameters of \`${operation.operationId}\`. */\nexport interface ${name}Query {\n${parameterLines(document, query, '  ')}}\n\n`
      : '';
  const members = `{\n${lines.join('')}}`;
  const text = `/** Argument of \`${operation.operationId}\`. */\n`;
  return operation.scope === null
    ? `${text}export type ${name}Arguments = SignedCall<${pathType}> & ${members};\n`
    : `${queryType}${text}export interface ${name}Arguments extends CallOptions ${members}\n`;
}

const successOf = ({ responses }: OperationRow): [status: string, schema: Schema | undefined] => {
  const [status = '', response] = Object.entries(responses).find(([key]) => key.startsWith('2')) ?? [];
  return [status, Object.values(response?.content ?? {})[0]?.schema];
};

function responseType(document: Document, operation: OperationRow): string {
  const [status, schema] = successOf(operation);
  const data = schema
    ? nameIn(schema.$ref ?? '') === 'ImageFile'
      ? 'Blob'
      : typeOf(document, schema, 'response')
    : 'undefined';
  const bases = [
    `ApiResponse<${status}, ${data}>`,
    ...(takesHeader(operation, 'If-None-Match') ? ['Tagged'] : []),
    ...(takesHeader(operation, 'Idempotency-Key') ? ['Replayable'] : []),
  ];
  return `/** Response of \`${operation.operationId}\`. */
export interface ${capitalized(operation.operationId)}Response extends ${bases.join(', ')} {}\n`;
}

/** A value as TypeScript source. */
const source = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^( *)"(\w+)":/gm, '$1$2:');

function example(document: Document, operation: OperationRow): string {
  const parts = parametersIn(operation, 'path').map(({ name, example }) => `${name}: ${JSON.stringify(example)}`);
  const named = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0];
  const call: string[] = [];
  if (parts.length > 0) call.push(`path: { ${parts.join(', ')} }`);
  if (named) call.push(`body: ${source(document.components.examples[nameIn(named.$ref)]?.value)}`);
  if (bodyOf(operation) === 'file') call.push("body: new Blob([bytes], { type: 'image/png' })");
  const argument = call.length > 0 ? `{ ${call.join(', ')} }` : '';
  const [, data] = successOf(operation);
  return `${data ? 'const { data } = ' : ''}await client.${operation.operationId}(${argument});`;
}

/** The codes of the problems that an operation returns. */
function codesOf({ components }: Document, { responses }: OperationRow): (string | undefined)[] {
  const examples = Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content['application/problem+json']?.examples ?? {}),
  );
  const bodies = examples.map(({ $ref }) => components.examples[nameIn($ref)]?.value as { code: string } | undefined);
  const codes = bodies.map((body) => body?.code);
  return [...new Set(codes)];
}

function method(document: Document, operation: OperationRow): string {
  const { operationId, summary, description, path, scope } = operation;
  const name = capitalized(operationId);
  const codes = codesOf(document, operation).map((code) => `\`${code}\``);
  const text = `${summary}.

${description.trim()}

\`${operation.method} ${path}\`, ${scope === null ? 'with a signed URL instead of an API key' : `scope \`${scope}\``}.

@throws {WaybillError} with the code ${codes.slice(0, -1).join(', ')} or ${codes.at(-1)}
@throws {ConnectionError} when no complete response arrives, \`TimeoutError\` when the time is over
@throws {UnexpectedResponseError} when the response does not come from the service
@throws {AbortError} when \`signal\` aborts
@example
${example(document, operation)}`;
  const isOptional = parametersIn(operation, 'path').length === 0 && bodyOf(operation) === null;
  const documentation = comment(text, '  ');
  const signature = (call: string, response: string) =>
    `${documentation}  ${operationId}(call${isOptional ? '?' : ''}: ${call}): Promise<${response}>;\n`;
  if (!takesHeader(operation, 'If-None-Match')) return signature(`${name}Arguments`, `${name}Response`);
  return `${signature(`${name}Arguments & Unconditional`, `${name}Response`)}${signature(`${name}Arguments`, `${name}Response | NotModified`)}`;
}

/** One documented method per operation, with the types of its argument and its response. */
export function operationTypes(document: Document): string {
  const operations = operationsOf(document);
  const methods = operations.filter((operation) => !isStream(operation));
  const types = methods.flatMap((operation) => [argumentType(document, operation), responseType(document, operation)]);
  const text = types.join('\n');
  const code = text.replace(/\/\*\*.*?\*\//gs, '');
  const used = Object.keys(document.components.schemas)
    .flatMap((name) => [name, `Known${name}`])
    .filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return `import type { ApiResponse, CallOptions, NotModified, Replayable, SignedCall, Tagged, Unconditional } from '../calls.ts';
import type {
${used
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from './schemas.ts';

/** The id of an operation. It is also the name of its method, except for a stream of events. */
export type OperationId =
${operations.map(({ operationId }) => `  | '${operationId}'`).join('\n')};

${text}
/** One method per operation of the contract, named by its operation id, except for streams of events. */
export interface Operations {
${methods.map((operation) => method(document, operation)).join('\n')}}
`;
}
