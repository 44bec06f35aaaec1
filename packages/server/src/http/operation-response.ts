import type { Readable } from 'node:stream';
import type { StreamedBody } from './streamed-body.ts';

/** The response of an operation. The body is a value whose URLs are not signed, a file or made while it is sent. */
export interface OperationResponse {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** The response as it is sent. The body is text, a file, made while it is sent or empty. */
export interface SerializedResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Readable | StreamedBody | undefined;
}
