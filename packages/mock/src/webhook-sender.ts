import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { components } from '@waybill/contract/types';
import { isoTime } from './lifecycle.ts';

type Schemas = components['schemas'];
type Delivery = Schemas['WebhookDelivery'];

/** Where events are sent. */
export interface Target {
  url: string;
  /** The current secret, and the previous one while it is valid. */
  secrets: string[];
}

/** Milliseconds before each attempt. */
const pauses = [0, 1000, 5000];
/** Milliseconds for an attempt. */
const attemptTimeout = 10_000;
/** Bytes of a response that are read, and characters that are stored. */
const maxResponseBytes = 16 * 1024;
const maxStoredCharacters = 1000;

/** Whether a URL is of this machine. The mock sends nothing to other ones. */
export function isOnThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Sends a delivery until an attempt succeeds or none is left, and stores the result of each in it.
 * @param target returns undefined while nothing may be sent: the delivery stays pending
 * @throws `AbortError` when the mock is closed
 */
export async function sendDelivery(
  delivery: Delivery,
  target: () => Target | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const [index, pause] of pauses.entries()) {
    await setTimeout(pause, undefined, { signal });
    const current = target();
    if (!current) return;
    const attempt = await sendOnce(delivery.event, current, signal);
    delivery.last_attempt = attempt;
    delivery.attempts++;
    const { status = 0 } = attempt.response ?? {};
    const isDelivered = status >= 200 && status < 300;
    const next = pauses[index + 1];
    if (isDelivered || next === undefined) {
      delivery.status = isDelivered ? 'delivered' : 'failed';
      delete delivery.next_attempt_at;
      return;
    }
    delivery.next_attempt_at = isoTime(Date.now() + next);
  }
}

async function sendOnce(
  event: Schemas['Event'],
  { url, secrets }: Target,
  signal: AbortSignal,
): Promise<Schemas['WebhookAttempt']> {
  const start = performance.now();
  const timestamp = isoTime(Date.now());
  const seconds = String(Math.floor(Date.parse(timestamp) / 1000));
  const body = JSON.stringify(event);
  const end = (result: Pick<Schemas['WebhookAttempt'], 'response' | 'error'>): Schemas['WebhookAttempt'] => ({
    ...{ url, timestamp, duration_ms: Math.round(performance.now() - start), ...result },
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': seconds,
        'webhook-signature': secrets.map((secret) => signature(`${event.id}.${seconds}.${body}`, secret)).join(' '),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeout)]),
    });
    return end({ response: { status: response.status, body: await readBeginning(response) } });
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { message?: string } };
    return end({ error: (cause?.message || message).slice(0, 200) });
  }
}

/** A signature by the Standard Webhooks specification. @param secret such as `whsec_…` */
function signature(text: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

async function readBeginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxResponseBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, maxStoredCharacters);
}
