import { expect } from 'vitest';

export type Posted = Awaited<ReturnType<typeof post>>;

interface Post {
  /** The path below the base URL. */
  path: string;
  /** Text is sent as it is. */
  body: unknown;
  /** The Idempotency-Key; none is sent when it is left out. */
  key?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Posts past the client, whose own keys and retries would hide what the service does. */
export async function post(
  { baseUrl }: { baseUrl: string },
  { key: apiKey }: { key: string },
  { path, body, key, signal, headers }: Post,
) {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
  return {
    status: response.status,
    headers: response.headers,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    body: (await response.json()) as unknown,
  };
}

/** Signed URLs, and the id of a problem's request: a replay does not repeat them. */
const notRepeated = ['request_id', 'upload_url', 'expires_at', 'signature_url', 'photos'];

/** The parts of a response that a replay repeats. */
export function comparable({ status, body, headers }: Posted): unknown {
  const { photos } = body as { photos?: unknown[] };
  const fields = Object.entries(body as object).filter(([name]) => !notRepeated.includes(name));
  return {
    status,
    body: Object.fromEntries(fields),
    photos: photos?.length,
    location: headers.get('location'),
    type: headers.get('content-type'),
  };
}

/** Fails unless a response is the replay of another one. */
export function expectReplay(response: Posted, first: Posted): void {
  expect(response.replayed).toBe(true);
  expect(comparable(response)).toEqual(comparable(first));
}

/** Fails unless all responses are equal and one of them is not a replay. */
export function expectOneResponse(responses: Posted[]): void {
  for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0] as Posted));
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
}
