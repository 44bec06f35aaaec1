import { operationTable } from '@waybill/contract/operations';
import type { Parameter, Parameters, Step } from './arazzo.ts';

const calls: Record<string, { method: string; path: string }> = operationTable;

/** The HTTP request of a step; `{create.id}` stands for the output `id` of the step `create`. */
export function request(step: Step, shared: Parameters): string {
  const parameters = (step.parameters ?? []).map((parameter) =>
    'reference' in parameter ? resolveReference(parameter.reference, shared) : parameter,
  );
  const lines = (place: string, sign: string) =>
    parameters.filter((each) => each.in === place).map(({ name, value }) => `${name}${sign}${plain(String(value))}`);
  const { method, url } = step['x-operation'] ?? callOf(step.operationId, parameters);
  const query = lines('query', '=').join('&');
  const head = [`${method.toUpperCase()} ${plain(url)}${query && `?${query}`}`, ...lines('header', ': ')];
  return [head.join('\n'), ...body(step)].join('\n\n');
}

function resolveReference(reference: string, shared: Parameters): Parameter {
  const parameter = shared[reference.replace('$components.parameters.', '')];
  if (!parameter) throw new Error(`A workflow refers to ${reference}, which does not exist.`);
  return parameter;
}

function callOf(operationId: string, parameters: Parameter[]): { method: string; url: string } {
  const operation = calls[operationId];
  if (!operation) throw new Error(`A workflow uses ${operationId}, which is not an operation of the contract.`);
  const value = (name: string) => parameters.find((each) => each.in === 'path' && each.name === name)?.value;
  return { method: operation.method, url: operation.path.replace(/{(\w+)}/g, (_, name) => String(value(name))) };
}

function body({ requestBody }: Step): string[] {
  if (!requestBody) return [];
  const { payload, replacements = [] } = requestBody;
  if (typeof payload === 'string') return [payload.replace(/^\$file\('(?:.*\/)?(.+)'\)$/, '(the bytes of $1)')];
  const sent = structuredClone(payload) as Record<string, unknown>;
  for (const { target, value } of replacements) replace(sent, target.slice(1).split('/'), value);
  const fields = Object.entries(sent).map(([name, value]) => `  "${name}": ${inOneLine(value)}`);
  return [plain(`{\n${fields.join(',\n')}\n}`.replaceAll(/"(\$[\w.]+)"/g, '$1'))];
}

/** Sets the value at a JSON pointer. */
function replace(node: Record<string, unknown>, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) node[key] = value;
  else replace(node[key] as Record<string, unknown>, rest, value);
}

const inOneLine = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');

/** The expected status and the other success criteria. */
export function expectation({ successCriteria }: Step): { status: string; conditions: string[] } {
  const all = successCriteria.map(({ condition, context }) =>
    context ? `${plain(context)} has ${condition}` : plain(condition),
  );
  const [status = '', ...conditions] = all;
  return { status: status.replace('status == ', ''), conditions };
}

/** Simplifies Arazzo expressions: `{create.id}`, `{now}`, `body/status`, `header ETag`. */
export const plain = (text: string): string =>
  text
    .replaceAll(/{?\$steps\.(\w+)\.outputs\.(\w+)}?/g, '{$1.$2}')
    .replaceAll(/{?\$inputs\.(\w+)}?/g, '{$1}')
    .replaceAll('$statusCode', 'status')
    .replaceAll('$response.header.', 'header ')
    .replaceAll(/\$response\.body#?/g, 'body');
