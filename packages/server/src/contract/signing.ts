import type { Links, Purpose } from '../storage/signed-urls.ts';
import { successSchema } from './document.ts';
import type { OperationId } from './operations.ts';

/** Stands in a handler's answer where `x-expiry-of` puts the expiry of a URL. */
export const whenSigned = '';

type Sign = (purpose: Purpose, uploadId: string) => ReturnType<Links['sign']>;
type Present = (value: unknown, sign: Sign) => unknown;
type Node = Record<string, unknown>;

/**
 * Makes signed URLs of an answer's upload ids, where the contract says `x-signed`. Answers are stored and hashed
 * before that, so a replay carries fresh URLs and an ETag does not change with them. Undefined where nothing is signed.
 */
export const signer = (operation: OperationId): Present | undefined => presenterOf(successSchema(operation));

function presenterOf(schema: unknown): Present | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { items, properties, 'x-signed': purpose } = schema as Node;
  if (purpose) return (uploadId, sign) => sign(purpose as Purpose, String(uploadId)).url;
  if (items) {
    const each = presenterOf(items);
    return each && ((list, sign) => (list as unknown[]).map((item) => each(item, sign)));
  }
  const fields = Object.entries((properties ?? {}) as Record<string, Node>);
  const parts = fields.flatMap(([name, property]): [string, Present][] => {
    const url = property['x-expiry-of'];
    if (typeof url === 'string') return [[name, expiryOf(url, fields)]];
    const present = presenterOf(property);
    return present ? [[name, (object, sign) => present((object as Node)[name], sign)]] : [];
  });
  if (parts.length === 0) return undefined;
  return (object, sign) => ({
    ...(object as Node),
    ...Object.fromEntries(parts.map(([name, present]) => [name, present(object, sign)])),
  });
}

function expiryOf(url: string, fields: [string, Node][]): Present {
  const purpose = fields.find(([name]) => name === url)?.[1]['x-signed'] as Purpose;
  return (object, sign) => sign(purpose, String((object as Node)[url])).expiresAt.toISOString();
}
