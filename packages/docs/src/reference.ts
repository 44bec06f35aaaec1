import { problems } from '@waybill/contract/problems';
import {
  basePath,
  type Content,
  introduction,
  type Operation,
  operations,
  problemCodes,
  tags,
  version,
} from './contract.ts';
import { fieldList, item } from './fields.ts';
import {
  deprecatedMark,
  details,
  fence,
  json,
  line,
  operationLink,
  problemLink,
  prose,
  requestLine,
  table,
  tabs,
} from './markdown.ts';
import { languages } from './samples/languages.ts';
import { setUrl } from './samples/request.ts';

/** The overview: conventions and all operations. */
export function referenceOverview(): string {
  const groups = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ tag }) => tag === name)
      .map(({ operationId, method, path, summary, deprecated }) => [
        operationLink(operationId),
        requestLine(method, path),
        [summary, ...deprecatedMark({ deprecated })].join(' · '),
      ]);
    return `## ${name}\n\n${line(description)}\n\n${table(['Operation', 'Request', 'Purpose'], rows)}`;
  });
  return [
    '# API reference',
    `This is version ${version} of the API. The [changelog](/changelog) lists the changes of each version.`,
    `All paths are relative to the URL of the service, which ends with \`${basePath}\`. The samples read it from a variable:`,
    fence('sh', setUrl),
    `The OpenAPI document is at [\`/openapi.json\`](/openapi.json){target="_self"}. Bodies are JSON, except files.`,
    ...groups,
    '## Conventions',
    prose(introduction).replaceAll(/^\*\*(.+?)\.\*\* /gm, '### $1\n\n'),
  ].join('\n\n');
}

/** The page of one operation: beside its fields a request and its response, on narrow screens above them, and a form below. */
export function operationPage(operation: Operation): string {
  const { operationId, method, path, summary, description } = operation;
  return `---
aside: false
pageClass: wide operation
description: ${JSON.stringify(`${operationId}: ${method} ${path}`)}
tryIt: ${JSON.stringify(tryItForm(operation))}
---

<div class="split"><div>

# ${summary}

<div class="request">

${[requestLine(method, path), ...deprecatedMark(operation)].join(' · ')}

</div>

${prose(description)}

${credentials(operation)} [Try it](#try-it)

The samples read the URL of the service from a variable:

${fence('sh', setUrl)}

</div><div class="side">

${requestSide(operation)}

</div><div>

${parameterSections(operation)}

${bodySection(operation)}

${successSections(operation)}

## Errors

${errorTable(operation)}

<TryIt />

</div></div>
`;
}

function credentials({ scope, acceptsTokens }: Operation): string {
  if (!scope) return 'Requires no API key: the URL is signed.';
  const kinds = acceptsTokens ? 'an API key or an [access token](/guides/access)' : 'an API key';
  return `Requires ${kinds} with the scope \`${scope}\`.`;
}

function parameterSections({ parameters }: Operation): string {
  const places = { path: 'Path parameters', query: 'Query parameters', header: 'Header parameters' };
  return Object.entries(places)
    .flatMap(([place, heading]) => {
      const items = parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, required = false, deprecated = false, description }) =>
          item({
            name,
            anchor: place,
            schema: { ...schema, deprecated },
            presence: required ? 'required' : '',
            description,
          }),
        );
      return items.length > 0 ? [`## ${heading}\n\n${items.join('\n')}`] : [];
    })
    .join('\n\n');
}

function bodySection({ body }: Operation): string {
  const types = Object.keys(body);
  const schema = body['application/json']?.schema;
  if (types.length === 0) return '';
  if (!schema) return `## Request body\n\nThe bytes of the file, as ${types.map((type) => `\`${type}\``).join(', ')}.`;
  const examples = named(body['application/json']);
  const more = examples.length > 1 ? `\n\n${details('Examples', tabs(examples))}` : '';
  return `## Request body\n\n${fieldList(schema, 'body', 'request')}${more}`;
}

/** The fields of a response to a body are shown when they are opened: most are those of the body. */
function successSections({ body, responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => status < '400')
    .map(([status, { description, content = {}, headers = {} }]) => {
      const schema = content['application/json']?.schema;
      const types = Object.keys(content);
      const fields = schema && fieldList(schema, `response-${status}`, 'response');
      const headerItems = Object.entries(headers).map(([name, header]) => `- \`${name}\`: ${line(header.description)}`);
      return [
        `## Response ${status}`,
        line(description),
        fields
          ? body['application/json']
            ? details('Fields', fields)
            : fields
          : types.map((type) => `\`${type}\``).join(', '),
        ...(headerItems.length > 0 ? [`### Response ${status} headers`, headerItems.join('\n')] : []),
      ].join('\n\n');
    })
    .join('\n\n');
}

function errorTable({ responses }: Operation): string {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    status < '400'
      ? []
      : problemCodes(response).map((code) => [
          status,
          problemLink(code),
          problems[code as keyof typeof problems]?.title ?? '',
        ]),
  );
  return table(['Status', 'Code', 'Meaning'], rows);
}

function requestSide(operation: Operation): string {
  const samples = Object.entries(languages).map(([name, { title, sample }]) => fence(name, sample(operation), title));
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status < '300')
    .flatMap(([status, { content = {} }]) => {
      const examples = named(content['application/json']);
      const text = content['text/event-stream']?.example;
      if (text !== undefined) return [`**Response ${status}**\n\n${fence('txt', text.trim())}`];
      return examples.length > 0 ? [`**Response ${status}**\n\n${tabs(examples)}`] : [];
    });
  return [`**Request**\n\n${tabs(samples)}`, ...responses].map((part) => `<div>\n\n${part}\n\n</div>`).join('\n');
}

const named = (content: Content | undefined): string[] =>
  Object.entries(content?.examples ?? {}).map(([name, { value }]) => fence('json', json(value), name));

/** What the form on the page needs. */
function tryItForm({ operationId, method, path, scope, parameters, body }: Operation): object {
  const example = Object.values(body['application/json']?.examples ?? {})[0]?.value;
  return {
    operationId,
    method,
    path,
    needsKey: scope !== undefined,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    parameters: parameters
      .filter((parameter) => parameter.in !== 'header')
      .map(({ name, in: place, required = false, example }) => ({
        name,
        in: place,
        required,
        example: String(example ?? ''),
      })),
    ...(example !== undefined && { body: json(example) }),
    ...(example === undefined && method === 'PUT' && { fileTypes: Object.keys(body) }),
  };
}
