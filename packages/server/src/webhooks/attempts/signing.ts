import { createHmac } from 'node:crypto';
import { secretPrefix } from '../../database/secret-box.ts';

/** A message to sign. */
interface SignedMessage {
  /** The id of the event, which is the same in every attempt. */
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * Makes the headers of a request by the Standard Webhooks specification, with a signature by each secret.
 * @param secrets such as `whsec_…`
 */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secrets: string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
