import type { Problem } from '../fixtures/http.ts';

export interface Posted {
  status: number;
  headers: Headers;
  replayed: boolean;
  body: unknown;
}

interface Post {
  /** The path below the base URL. */
  path: string;
  body: unknown;
  /** The Idempotency-Key; none is sent when it is left out. */
  key?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Posts past the client, whose own keys and retries would hide what the service does. Text is sent as it is. */
export async function post(
  { baseUrl }: { baseUrl: string },
  { key: apiKey }: { key: string },
  { path, body, key, signal, headers }: Post,
): Promise<Posted> {
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
    body: await response.json(),
  };
}

/** The parts that a replay repeats: not signed URLs, and not a problem's request id. */
export function comparable({ status, body, headers }: Posted): unknown {
  const {
    request_id: _,
    upload_url: __,
    expires_at: ___,
    signature_url: ____,
    photos,
    ...rest
  } = body as Problem & {
    [url: string]: unknown;
  };
  return {
    status,
    rest,
    photos: Array.isArray(photos) && photos.length,
    location: headers.get('location'),
    type: headers.get('content-type'),
  };
}
