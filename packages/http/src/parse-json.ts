import { InvalidRequest } from '@waybill/contract/validation/invalid-request';

/** Limits of the structure of a JSON text. */
export interface JsonLimits {
  /** Objects and arrays inside each other. */
  depth: number;
  /** Objects, arrays and scalars together. */
  values: number;
}

interface Schema {
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
}

/** It removes a byte order mark, which some clients send (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });
const [quote, backslash, comma, colon] = [...'"\\,:'].map((sign) => sign.charCodeAt(0));
const [openBrace, closeBrace, openBracket, closeBracket] = [...'{}[]'].map((sign) => sign.charCodeAt(0));

/** Ten times the largest valid body, so that validation can name the fields of most invalid bodies. */
export function jsonLimits(schema: Schema): JsonLimits {
  const { depth, values } = largestValid(schema);
  return { depth: 10 * Math.max(depth, 1), values: 10 * values + 100 };
}

function largestValid({ items, maxItems = 0, properties = {} }: Schema): JsonLimits {
  const members = Object.values(properties).map(largestValid);
  const item = items && largestValid(items);
  const children = item ? [...members, item] : members;
  if (children.length === 0) return { depth: 0, values: 1 };
  return {
    depth: 1 + Math.max(...children.map(({ depth }) => depth)),
    values: 1 + members.reduce((sum, { values }) => sum + values, 0) + maxItems * (item?.values ?? 0),
  };
}

/**
 * Parses a JSON text in UTF-8. `JSON.parse` alone takes up to a second for 1 MiB of brackets, and silently uses the last
 * of two members with the same name.
 * @throws {InvalidRequest} malformed_request when it is not JSON, has more structure than the limits, or names a member twice
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const names = countNames(bytes, limits);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw malformed(error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.');
  }
  if (countMembers(value) !== names) throw malformed('An object in the body has two members with the same name.');
  return value;
}

const malformed = (detail: string): InvalidRequest => new InvalidRequest('malformed_request', detail);

/** Counts the names of members in a JSON text. It reads each byte once and stops at a limit. */
function countNames(bytes: Uint8Array, limits: JsonLimits): number {
  let [depth, values, names] = [0, 1, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
    } else if (byte === openBrace || byte === openBracket) {
      values++;
      if (++depth > limits.depth) throw malformed(`The body is nested more than ${limits.depth} levels deep.`);
    } else if (byte === closeBrace || byte === closeBracket) depth--;
    else if (byte === comma) values++;
    else if (byte === colon) names++;
    if (values > limits.values) throw malformed(`The body has more than ${limits.values} values.`);
  }
  return names;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  return children.reduce<number>((sum, child) => sum + countMembers(child), Array.isArray(value) ? 0 : children.length);
}
