import type { MockResponse } from './responses.ts';
import { Refusal } from './responses.ts';

/** Stored responses; the oldest is removed for one too many. */
const maximum = 1000;

/** Wraps the execution of a request. `fingerprint` is the same for a repeated request. */
export type Once = (key: string | undefined, fingerprint: string, execute: () => MockResponse) => MockResponse;

/** Returns the stored response of a repeated request with the same `Idempotency-Key`. */
export function idempotency(): Once {
  const stored = new Map<string, { fingerprint: string; response: MockResponse }>();
  return (key, fingerprint, execute) => {
    if (key === undefined) return execute();
    const first = stored.get(key);
    if (first && first.fingerprint !== fingerprint) {
      throw new Refusal('idempotency_key_reused', 'The Idempotency-Key was used with another request.');
    }
    if (first) {
      const { status, headers, body } = structuredClone(first.response);
      return { status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body };
    }
    const response = structuredClone(execute());
    stored.set(key, { fingerprint, response });
    const [oldest] = stored.keys();
    if (stored.size > maximum && oldest) stored.delete(oldest);
    return response;
  };
}
