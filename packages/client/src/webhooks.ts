/** Verifies webhooks (https://www.standardwebhooks.com). It needs only WebCrypto: Node, browsers and edge runtimes have it. */
import { bytesOf, checkKeys } from './arguments.ts';
import type { WaybillEvent } from './events.ts';
import type { Event } from './generated/types.ts';

export type { WaybillEvent } from './events.ts';
export type { Event } from './generated/types.ts';

/** The headers of a request: `Headers`, or the object of Node, Express and Fastify. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The options of `verifyWebhook`. */
export interface VerifyOptions {
  /** How many seconds the signature's timestamp may differ from now. Default: 300. */
  tolerance?: number | undefined;
  /** The current time. Default: that of the system. */
  now?: Date | undefined;
}

/** Why a request is not a webhook of Waybill. */
export type WebhookVerificationCode =
  | 'missing_header'
  | 'timestamp_out_of_range'
  | 'invalid_signature'
  | 'invalid_body';

/** The request does not come from Waybill, or it was changed or delayed. Return 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}

const secretPrefix = 'whsec_';
/** The version of the signatures, which are made by HMAC-SHA256. */
const version = 'v1';
const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Verifies the signature of a webhook and returns its event.
 * @param body the body exactly as it was received: parsing and serializing it changes it
 * @param secrets the secret of the endpoint, or several while it is rotated
 * @throws {WebhookVerificationError} when the request does not come from Waybill
 * @throws {TypeError} when an argument is invalid, such as a body that was parsed already
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WaybillEvent> {
  checkKeys('verifyWebhook options', options, ['tolerance', 'now']);
  const { tolerance = 300, now = new Date() } = options;
  const bytes = bodyOf('verifyWebhook', body);
  const keys = await Promise.all([secrets].flat().map((secret) => keyOf('verifyWebhook', secret)));
  if (keys.length === 0) throw new TypeError('verifyWebhook: secrets is empty');
  const [id, timestamp, signatures] = [
    headerOf(headers, 'webhook-id'),
    headerOf(headers, 'webhook-timestamp'),
    headerOf(headers, 'webhook-signature'),
  ];
  const age = Math.abs(now.getTime() / 1000 - Number(/^\d{1,12}$/.test(timestamp) ? timestamp : Number.NaN));
  if (!(age <= tolerance)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_range',
      `The timestamp is not within ${tolerance} seconds of now`,
    );
  }
  const signed = signedBytes(id, timestamp, bytes);
  const candidates = signatures.split(' ').flatMap((signature) => {
    const [name, value = ''] = signature.split(',', 2);
    return name === version ? (decoded(value) ?? []) : [];
  });
  const checks = keys.flatMap((key) => candidates.map((each) => crypto.subtle.verify(algorithm, key, each, signed)));
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookVerificationError('invalid_signature', 'No signature is of this body by one of the secrets');
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WaybillEvent;
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is not JSON');
  }
}

/**
 * Signs an event as Waybill does, for tests of your endpoint.
 * @param event the event, or a body as text
 */
export async function signTestWebhook(
  event: Event | string,
  secret: string,
  options: {
    /** The time of the signature. Default: now. */
    timestamp?: Date | undefined;
  } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  checkKeys('signTestWebhook options', options, ['timestamp']);
  const { timestamp: date = new Date() } = options;
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const id = typeof event === 'string' ? 'evt_test' : event.id;
  const timestamp = String(Math.floor(date.getTime() / 1000));
  const key = await keyOf('signTestWebhook', secret);
  const signature = await crypto.subtle.sign(
    algorithm,
    key,
    signedBytes(id, timestamp, bodyOf('signTestWebhook', body)),
  );
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `${version},${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    },
  };
}

type Bytes = Uint8Array<ArrayBuffer>;
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function bodyOf(what: string, body: unknown): Bytes {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : bytesOf(body);
  if (!bytes) throw new TypeError(`${what}: pass the body as text or bytes, exactly as it was received`);
  return bytes;
}

function signedBytes(id: string, timestamp: string, body: Bytes): Bytes {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  // Some platforms have a list for each header. Two signatures are two of the list of signatures.
  const text = [value].flat().join(' ');
  if (text !== '') return text;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
}

/** Bytes of base64; undefined if it is invalid. */
function decoded(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function keyOf(what: string, secret: unknown): Promise<Key> {
  const bytes = typeof secret === 'string' ? decoded(secret.replace(secretPrefix, '')) : undefined;
  if (!bytes || bytes.length < 24) throw new TypeError(`${what}: the secret must begin with ${secretPrefix}`);
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
}
