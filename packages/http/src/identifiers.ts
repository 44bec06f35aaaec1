import { fromUUID, TypeID } from 'typeid-js';

export type Prefix = 'ship' | 'acc' | 'exc' | 'upl' | 'evt' | 'whe' | 'whd';

/** The pattern of an identifier after its prefix (TypeID). */
export const idPattern = '[0-7][0-9a-hjkmnp-tv-z]{25}';

/** Makes a UUIDv7, which contains the current time in milliseconds. */
export const newUuid = (): string => new TypeID('').toUUID();

/** Converts a uuid to the identifier that callers see, such as `ship_01kj…` (TypeID). */
export const publicId = (prefix: Prefix, uuid: string): string => fromUUID(uuid, prefix);

/** Converts an identifier that matches its pattern to a uuid, of any version. */
export const uuidFromPublicId = (prefix: Prefix, id: string): string =>
  uuidFromBytes(Buffer.from(TypeID.fromString(id, prefix).toUUIDBytes()));

/** Converts a uuid to its 16 bytes. */
export const uuidToBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
/** Converts 16 bytes to a uuid. */
export const uuidFromBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns the creation time that a UUIDv7 contains (RFC 9562, section 5.7). */
export const timeOfUuid = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** The bits of a UUIDv7 after its variant. */
const positionBits = 62n;

/** Makes the uuid of an event: a UUIDv7 with the time of the event, whose last 62 bits are its position. */
export function eventUuid(createdAt: Date, position: bigint): string {
  const time = createdAt.getTime().toString(16).padStart(12, '0');
  const variant = 0b10n << positionBits;
  const rest = (variant | position).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** Returns the position that the uuid of an event contains. */
export const positionOfUuid = (uuid: string): bigint =>
  BigInt.asUintN(Number(positionBits), uuidToBytes(uuid).readBigUInt64BE(8));

/** Returns the lowest uuid of a millisecond: `id >= lowestUuid(t)` means created at t or later. */
export function lowestUuid(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Makes a tracking number: the prefix, the year in UTC and the number, with at least six digits. */
export const trackingNumber = (prefix: string, createdAt: Date, number: string): string =>
  `${prefix}-${createdAt.getUTCFullYear()}-${number.padStart(6, '0')}`;
