import type { Readable } from 'node:stream';

/** The response of an operation. The body is a value whose URLs are not signed, or a file. */
export interface OperationResponse {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** The response as it is sent. The body is text, a file or empty. */
export interface SerializedResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Readable | undefined;
}
