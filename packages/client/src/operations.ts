/** The types of the client's methods, derived from the operations of the contract. */
import type { components, operations } from '@waybill/contract/open-types';

/** The contract's schemas by name, e.g. `Schemas['Shipment']`. Enumerations that may grow are open. */
export type Schemas = components['schemas'];

/** The id of an operation, which is also the name of its method. */
export type OperationId = keyof operations;

/** Options of every call, in addition to the parameters of its operation. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Timeout of the call in milliseconds, including retries; default: the client's `timeout`. */
  timeout?: number | undefined;
  /** Maximum number of retries; default: the client's `retries`. */
  retries?: number | undefined;
  /** Additional request headers; they override the client's. */
  headers?: Record<string, string> | undefined;
}

/** `Idempotency-Key` → `idempotencyKey` */
export type Option<Header extends string> = Uncapitalize<Joined<Header>>;
type Joined<Text extends string> = Text extends `${infer Head}-${infer Tail}` ? `${Head}${Joined<Tail>}` : Text;

/** The path and query parameters of an operation. */
type Parameters<Declared> = {
  [Place in keyof Declared as [Exclude<Declared[Place], undefined>] extends [never]
    ? never
    : Extract<Place, 'path' | 'query'>]: Declared[Place];
};

/** The header parameters of an operation as options; null means absent. */
type HeaderOptions<Declared> = Declared extends { header?: infer Headers }
  ? { [Name in keyof Known<Headers> as Option<Name & string>]?: Known<Headers>[Name] | null | undefined }
  : unknown;
type Known<Headers> = [Exclude<Headers, undefined>] extends [never] ? unknown : Exclude<Headers, undefined>;

/** JSON, or a file as a `Blob` whose `type` is its media type. */
type Content<Declared> = Declared extends { 'application/json': infer Json } ? Json : Blob;

type Body<Operation> = Operation extends { requestBody: { content: infer Declared } }
  ? { body: Content<Declared> }
  : unknown;

/**
 * The arguments of an operation: `path`, `query` and `body` if it has them, its header options (`idempotencyKey`,
 * `ifNoneMatch`), and the options of every call.
 */
export type Arguments<Id extends OperationId> = Parameters<operations[Id]['parameters']> &
  HeaderOptions<operations[Id]['parameters']> &
  Body<operations[Id]> &
  CallOptions;

/** The response that a call resolves with. */
export interface Answer<Status extends number, Data> {
  readonly status: Status;
  /** The body: parsed JSON, a `Blob` for a file, undefined if there is none. */
  readonly data: Data;
  readonly headers: Headers;
  /** The request id, for support requests; null if a proxy removed the header. */
  readonly requestId: string | null;
}

/** Additional properties of responses with an `ETag` or `Idempotent-Replayed` header. */
type HeaderProperties<Response> = (Response extends { headers: { ETag: string } }
  ? {
      /** Identifies this state; send it as `ifNoneMatch`. Null if a proxy removed the header. */
      readonly etag: string | null;
    }
  : unknown) &
  (Response extends { headers: { 'Idempotent-Replayed': string } }
    ? {
        /** Whether this is the stored response to an earlier request with the same idempotency key. */
        readonly replayed: boolean;
      }
    : unknown);

type Data<Response> = Response extends { content: infer Declared } ? Content<Declared> : undefined;

type ResponsesWithStatus<
  Responses,
  Statuses extends string,
  Status = keyof Responses,
> = Status extends keyof Responses & number
  ? `${Status}` extends Statuses
    ? Answer<Status, Data<Responses[Status]>> & HeaderProperties<Responses[Status]>
    : never
  : never;

/** The success responses of an operation. */
export type Success<Id extends OperationId> = ResponsesWithStatus<operations[Id]['responses'], `2${string}`>;

/** The response to a conditional read when nothing has changed: 304, without data. */
export type NotModified<Id extends OperationId> = ResponsesWithStatus<operations[Id]['responses'], '304'>;

/** Only a call with `ifNoneMatch` can return 304. */
interface ConditionalRead<Id extends OperationId> {
  (call: Arguments<Id> & { ifNoneMatch?: null | undefined }): Promise<Success<Id>>;
  (call: Arguments<Id>): Promise<Success<Id> | NotModified<Id>>;
}

type Call<Id extends OperationId> = [NotModified<Id>] extends [never]
  ? Partial<Arguments<Id>> extends Arguments<Id>
    ? (call?: Arguments<Id>) => Promise<Success<Id>>
    : (call: Arguments<Id>) => Promise<Success<Id>>
  : ConditionalRead<Id>;

/** One method per operation of the contract, named by its id. */
export type Operations = { readonly [Id in OperationId]: Call<Id> };
