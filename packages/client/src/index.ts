export type { ApiResponse, CallOptions, OperationId, PostOptions, ReadOptions } from './calls.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export {
  AbortError,
  type CallContext,
  ConnectionError,
  TimeoutError,
  UnexpectedResponseError,
  type UnknownProblemCode,
  WaybillClientError,
  WaybillError,
} from './errors.ts';
export type { EventPage, EventsParams, StreamParams, UnknownEventType, WaybillEvent } from './events.ts';
export { version } from './generated/table.ts';
export type * from './generated/types.ts';
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.ts';
export type { Operations, Params, Result } from './operations.ts';
export type { ApiPromise, ListPromise } from './promises.ts';
export type { FetchResponse } from './responses.ts';
export { type TrackingOptions, type TrackingParams, UnreachableStatusError } from './tracking.ts';
export type { ProofFile, ProofFiles, UploadedProof } from './upload.ts';
