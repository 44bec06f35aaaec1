import type { Operation } from '../contract.ts';
import { json } from '../markdown.ts';
import { planTomorrow } from '../tomorrow.ts';
import { image, keyVariable, type Request, requestOf, urlVariable } from './request.ts';

/** A shell command that sends an operation's request, with the examples of the contract. */
export function curlSample(operation: Operation): string {
  const { method, scope } = operation;
  const request = requestOf(operation);
  const { operationId, example, result } = request;
  const body = example && Object.keys(example).length > 0 ? example : undefined; // an empty one need not be sent
  const options = [
    ...(result === 'events' ? ['-N'] : []),
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...(scope ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...operation.parameters
      .filter(({ name }) => name === 'Idempotency-Key')
      .map(({ name }) => `-H "${name}: ${operationId}-$(date +%s)"`), // another one each time that it is pasted
  ];
  if (body !== undefined)
    options.push("-H 'Content-Type: application/json'", `-d ${quoted(json(body)).replaceAll('\n', '\n  ')}`);
  else if (request.sendsFile) options.push(`-H 'Content-Type: ${image.type}'`, `--data-binary @${image.file}`);
  else if (result === 'file') options.push(`-o ${image.file}`);
  const values = Object.fromEntries(request.path);
  const command = [
    `curl "$${urlVariable}${operation.path.replace(/{(\w+)}/g, (_, name) => values[name] ?? '')}${queryOf(request)}"`,
    ...options,
  ].join(' \\\n  ');
  const planned = planTomorrow(command, (time) => `"'$TOMORROW'${time}"`);
  // The date on a clock that is 24 hours ahead: all versions of `date` know it.
  return planned === command ? command : `TOMORROW=$(TZ=UTC-24 date +%F)\n${planned}`;
}

const queryOf = ({ query }: Request): string =>
  query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : '';

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
