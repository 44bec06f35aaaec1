import { tabStorage } from './tab-storage.ts';
import type { Form } from './try-it.ts';

const name = 'waybill.values';

/** The texts of earlier responses that a request may need, by the name of the member and by the prefix of an id. */
type Values = Record<string, string>;

const stored = (): Values => JSON.parse(tabStorage.get(name) ?? '{}');

/** Remembers the identifiers and tokens of a response in this tab. @param content JSON; undefined without one */
export function rememberValues(content: unknown): void {
  tabStorage.set(name, JSON.stringify({ ...stored(), ...valuesOf(content) }));
}

/** Values of earlier responses for the path parameters of an operation. */
export function suggestedValues({ parameters }: Form): Record<string, string> {
  const values = stored();
  const paths = parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    paths.flatMap((parameter) => {
      const value = values[parameter.name] ?? values[prefixOf(parameter.example)];
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
}

/** `ship` of `ship_01kjpx8p02fabr24pa3eywnyp2`; empty for other texts. */
const prefixOf = (id: string): string => /^([a-z]+)_[0-9a-z]{26}$/.exec(id)?.[1] ?? '';

/** Of several values, as in a list, the first one. */
function valuesOf(node: unknown, member = ''): Values {
  if (typeof node === 'string') {
    const prefix = prefixOf(node);
    // A signed URL ends in the token of its operation.
    const token = /\/(upload|file)s\/([^/?]+)$/.exec(node);
    return {
      ...(prefix && { [prefix]: node }),
      ...(member === 'tracking_number' && { [member]: node }),
      ...(token && { [`${token[1]}_token`]: token[2] ?? '' }),
    };
  }
  if (typeof node !== 'object' || node === null) return {};
  const inner = Object.entries(node).map(([member, value]) => valuesOf(value, member));
  return Object.assign({}, ...inner.reverse());
}
