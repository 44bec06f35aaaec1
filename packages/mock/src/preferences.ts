import { InvalidRequest } from '@waybill/contract/validation/invalid-request';
import { type Example, examplesOf } from './examples.ts';
import type { OperationId } from './routes.ts';

type Choice = 'code' | 'example' | 'dynamic';

/** A wish for a response, and where it was sent, for the problem if there is no such response. */
interface Wish {
  value: string;
  in: 'headers' | 'query';
  pointer: string;
}

export type Preferences = Partial<Record<Choice, Wish>>;

/**
 * Reads `Prefer: code=404, example=not_found` (RFC 7240) and `?__code=404&__example=not_found`, and removes the latter
 * from the query. The query wins.
 */
export function takePreferences(prefer: string | undefined, query: Record<string, unknown>): Preferences {
  const found: Preferences = {};
  for (const [, name = '', quoted, token = ''] of (prefer ?? '').matchAll(/(\w+) *= *(?:"([^"]*)"|([^\s,;"]*))/g)) {
    const choice = name.toLowerCase();
    if (isChoice(choice)) found[choice] ??= { value: quoted ?? token, in: 'headers', pointer: '/prefer' };
  }
  for (const choice of ['code', 'example'] as const) {
    const name = `__${choice}`;
    if (name in query) found[choice] = { value: String(query[name]), in: 'query', pointer: `/${name}` };
    delete query[name];
  }
  return found;
}

const isChoice = (name: string): name is Choice => ['code', 'example', 'dynamic'].includes(name);

/**
 * Finds the response that a request prefers.
 * @returns undefined when the request names no response or only the success
 * @throws {InvalidRequest} when the operation has no such response
 */
export function preferredExample(id: OperationId, { code, example, dynamic }: Preferences): Example | undefined {
  if (dynamic && dynamic.value.toLowerCase() !== 'false') {
    throw notAvailable(dynamic, 'dynamic=true is not available: the mock returns no random values. Prism does');
  }
  const examples = examplesOf(id);
  const found = examples.find(
    ({ status, name = '' }) =>
      (!code || code.value === String(status)) && (!example || example.value.toLowerCase() === name.toLowerCase()),
  );
  if (!found) throw notAvailable((code ?? example) as Wish, `must be one of ${choicesAmong(examples)}`);
  const isSuccess = found.status < 300;
  return example || (code && !isSuccess) ? found : undefined;
}

const notAvailable = ({ in: place, pointer }: Wish, detail: string): InvalidRequest =>
  new InvalidRequest('invalid_request', `${place} ${pointer} ${detail}.`.slice(0, 1000), [
    { in: place, pointer, code: 'not_allowed', detail: detail.slice(0, 500) },
  ]);

/** `200 (ShipmentScheduled), 404 (not_found)` */
function choicesAmong(examples: Example[]): string {
  const statuses = [...new Set(examples.map(({ status }) => status))];
  const each = statuses.map((status) => {
    const names = examples.flatMap((one) => (one.status === status && one.name ? one.name : []));
    return names.length > 0 ? `${status} (${names.join(', ')})` : status;
  });
  return each.join(', ');
}
