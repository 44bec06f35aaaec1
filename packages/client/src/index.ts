export type { ApiResponse, CallOptions, NotModified, Replayable, SignedCall, Tagged } from './calls.ts';
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
export type { EventsOptions, EventsQuery, UnknownEventType, WaybillEvent } from './event-feed.ts';
export type * from './generated/operations.ts';
export type * from './generated/schemas.ts';
export { version } from './generated/table.ts';
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.ts';
export type { Items } from './pagination.ts';
export type { FetchResponse } from './responses.ts';
export type { Fetch, FetchInit } from './send.ts';
export type { StreamOptions, StreamQuery } from './stream.ts';
export { type TrackingOptions, type TrackingTarget, UnreachableStatusError } from './tracking.ts';
export type { ProofFile, ProofFiles, UploadedProof } from './upload.ts';
