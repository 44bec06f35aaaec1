import type { IncomingMessage } from 'node:http';

const codes = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

/** Whether an error says no more than that the client has closed the connection before its request was read. */
export const isClientClosed = (error: unknown, { readableAborted }: IncomingMessage): boolean =>
  readableAborted && error instanceof Error && 'code' in error && codes.includes(String(error.code));
