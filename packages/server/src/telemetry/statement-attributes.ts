import type { Attributes } from '@opentelemetry/api';
import { isDatabaseError } from '../database/errors.ts';

interface StatementAttributes {
  /** The first keyword, such as `SELECT`. */
  name: string;
  attributes: Attributes;
}

/** By text. A service has few statements, because values are parameters. */
const known = new Map<string, StatementAttributes>();
const maxKnown = 1_000;

/** Returns a statement without line breaks. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the name and the attributes of a statement's span (OpenTelemetry's conventions for databases). */
export function statementAttributes(text: string): StatementAttributes {
  let found = known.get(text);
  if (!found) {
    const statement = oneLine(text);
    const [name = ''] = statement.split(' ', 1);
    found = {
      name: name.toUpperCase(),
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement },
    };
    if (known.size < maxKnown) known.set(text, found);
  }
  return found;
}

/** The code of an error. Its message may contain values. */
export function statementError(error: unknown): Attributes {
  if (isDatabaseError(error) && error.code) return { 'error.type': error.code, 'db.response.status_code': error.code };
  return { 'error.type': error instanceof Error ? error.name : 'unknown' };
}
