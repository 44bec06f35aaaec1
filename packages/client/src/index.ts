export { type Client, type ClientOptions, createClient } from './client.ts';
export { ConnectionError, ProblemError, UnexpectedResponseError, WaybillError } from './errors.ts';
export type {
  Answer,
  Arguments,
  CallOptions,
  NotModified,
  OperationId,
  Operations,
  Schemas,
  Success,
} from './operations.ts';
export type { Fetch } from './transport.ts';
export type { ProofFile } from './upload.ts';
