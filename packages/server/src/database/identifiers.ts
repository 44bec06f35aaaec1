import { TypeID } from 'typeid-js';

export type Prefix = 'ship' | 'upl';

/** A new identifier: a UUIDv7 with the current millisecond inside. */
export const newUuid = (): string => new TypeID('').toUUID();

/** uuid → the form that callers see, such as `ship_01kj…` (TypeID). */
export const publicId = (prefix: Prefix, uuid: string): string => TypeID.fromUUID(prefix, uuid).toString();

/** The form that callers see → uuid, of any version: what is not ours is not found. The pattern was checked before. */
export const uuidOf = (prefix: Prefix, id: string): string =>
  uuidFrom(Buffer.from(TypeID.fromString(id, prefix).toUUIDBytes()));

export const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
export const uuidFrom = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The moment of creation inside a UUIDv7 (RFC 9562, section 5.7). */
export const createdAt = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** The lowest uuid of a millisecond: `id >= lowestUuid(t)` is "created at t or later". */
export function lowestUuid(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
