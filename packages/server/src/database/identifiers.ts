export type Prefix = 'ship' | 'acc' | 'tev' | 'exc' | 'doc' | 'upl' | 'evt' | 'whe' | 'whd';

/** The pattern of an identifier after its prefix (TypeID). */
export const idPattern = '[0-7][0-9a-hjkmnp-tv-z]{25}';

let latest = { time: 0, count: 0 };

/**
 * Makes a UUIDv7 with the current time in milliseconds and a counter (RFC 9562, sections 5.7 and 6.2): those of one
 * millisecond are in the order in which they were made. It follows the clock also when that is put back.
 */
export function newUuid(): string {
  const time = Date.now();
  latest = { time, count: time === latest.time ? latest.count + 1 : 0 };
  const timeHex = time.toString(16).padStart(12, '0');
  const countHex = (latest.count % 4096).toString(16).padStart(3, '0');
  return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${countHex}-${crypto.randomUUID().slice(19)}`;
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';
/** The two digits of ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${base32[bits >> 5]}${base32[bits & 31]}`);
/** Character code → the value of a hexadecimal digit. */
const hexValues = Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);
const hyphen = '-'.charCodeAt(0);

/** Converts a uuid to the identifier that callers see, such as `ship_01kj…` (TypeID). */
export function publicId(prefix: Prefix, uuid: string): string {
  let id = `${prefix}_`;
  let bits = 0;
  let count = 2; // 26 digits have two bits more than a uuid
  for (let at = 0; at < uuid.length; at++) {
    const code = uuid.charCodeAt(at);
    if (code === hyphen) continue;
    bits = (bits << 4) | (hexValues[code] ?? 0);
    count += 4;
    if (count < 10) continue;
    count -= 10;
    id += pairs[bits >> count];
    bits &= (1 << count) - 1;
  }
  return id;
}

/** Converts an identifier that matches its pattern to a uuid, of any version. */
export function uuidFromPublicId(prefix: Prefix, id: string): string {
  const digits = id.replace(`${prefix}_`, '00');
  let hex = '';
  for (let at = 0; at < digits.length; at += 4) {
    let bits = 0;
    for (const digit of digits.slice(at, at + 4)) bits = (bits << 5) | base32.indexOf(digit);
    hex += bits.toString(16).padStart(5, '0');
  }
  return uuidFromHex(hex.slice(3));
}

/** Converts a uuid to its 16 bytes. */
export const uuidToBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
/** Converts 16 bytes to a uuid. */
export const uuidFromBytes = (bytes: Buffer): string => uuidFromHex(bytes.toString('hex'));

const uuidFromHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** Returns the creation time that a UUIDv7 contains (RFC 9562, section 5.7). */
export const timeOfUuid = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** Makes the uuid of an event: a UUIDv7 with the time of the event. Its number follows the variant, which is the digit 8. */
export function eventUuid(createdAt: Date, number: number): string {
  const time = createdAt.getTime().toString(16).padStart(12, '0');
  const digits = number.toString(16).padStart(15, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${digits.slice(0, 3)}-${digits.slice(3)}`;
}

/** Returns the number that the uuid of an event contains: of any other uuid, up to 2^62, which no event has. */
export const numberOfUuid = (uuid: string): number => Number(BigInt.asUintN(62, uuidToBytes(uuid).readBigUInt64BE(8)));

/** Returns the lowest uuid of a millisecond: `id >= lowestUuid(t)` means created at t or later. */
export function lowestUuid(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Makes a tracking number: the prefix, the year in UTC and the number, with at least six digits. */
export const trackingNumber = (prefix: string, createdAt: Date, number: number): string =>
  `${prefix}-${createdAt.getUTCFullYear()}-${String(number).padStart(6, '0')}`;
