import type { Operation } from '../contract.ts';
import { json } from '../markdown.ts';
import { planTomorrow } from '../tomorrow.ts';
import {
  bodyOf,
  image,
  isStream,
  keyVariable,
  pathOf,
  queryOf,
  returnsFile,
  sendsFile,
  urlVariable,
} from './request.ts';

/** A shell command that sends an operation's request, with the examples of the contract. */
export function curlSample(operation: Operation): string {
  const { operationId, method, scope } = operation;
  const example = bodyOf(operation);
  const body = example && Object.keys(example).length > 0 ? example : undefined; // an empty one need not be sent
  const options = [
    ...(isStream(operation) ? ['-N'] : []),
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...(scope ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...operation.parameters
      .filter(({ name }) => name === 'Idempotency-Key')
      .map(({ name }) => `-H "${name}: ${operationId}-$(date +%s)"`), // another one each time that it is pasted
  ];
  if (body !== undefined)
    options.push("-H 'Content-Type: application/json'", `-d ${quoted(json(body)).replaceAll('\n', '\n  ')}`);
  else if (sendsFile(operation)) options.push(`-H 'Content-Type: ${image.type}'`, `--data-binary @${image.file}`);
  else if (returnsFile(operation)) options.push(`-o ${image.file}`);
  const command = [`curl "$${urlVariable}${urlOf(operation)}"`, ...options].join(' \\\n  ');
  const planned = planTomorrow(command, (time) => `"'$TOMORROW'${time}"`);
  // The date on a clock that is 24 hours ahead: all versions of `date` know it.
  return planned === command ? command : `TOMORROW=$(TZ=UTC-24 date +%F)\n${planned}`;
}

function urlOf(operation: Operation): string {
  const values = Object.fromEntries(pathOf(operation));
  const query = queryOf(operation).map(([name, value]) => `${name}=${value}`);
  return (
    operation.path.replace(/{(\w+)}/g, (_, name) => values[name] ?? '') +
    (query.length > 0 ? `?${query.join('&')}` : '')
  );
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
