/** The shapes of the client's calls, each derived from the contract's operation of the same id. */
import type { components, operations } from '@waybill/contract/open-types';

/** The contract's schemas by name, e.g. `Schemas['Shipment']`. Enumerations that may grow are open. */
export type Schemas = components['schemas'];

/** The id of an operation, which is also the name of its method. */
export type OperationId = keyof operations;

/** What every call takes besides the operation's own parameters. */
export interface CallOptions {
  /** Ends the call early; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call is given up, retries included; the client's `timeout` when absent. */
  timeout?: number | undefined;
  /** How often the call may be sent again; the client's `retries` when absent. */
  retries?: number | undefined;
  /** More request headers; they win over the client's own. */
  headers?: Record<string, string> | undefined;
}

/** `Idempotency-Key` → `idempotencyKey` */
export type Option<Header extends string> = Uncapitalize<Joined<Header>>;
type Joined<Text extends string> = Text extends `${infer Head}-${infer Tail}` ? `${Head}${Joined<Tail>}` : Text;

/** The contract's path and query parameters by their place, as far as an operation uses it. */
type Parameters<Declared> = {
  [Place in keyof Declared as [Exclude<Declared[Place], undefined>] extends [never]
    ? never
    : Extract<Place, 'path' | 'query'>]: Declared[Place];
};

/** The contract's header parameters as options; null is as good as absent. */
type HeaderOptions<Declared> = Declared extends { header?: infer Headers }
  ? { [Name in keyof Known<Headers> as Option<Name & string>]?: Known<Headers>[Name] | null | undefined }
  : unknown;
type Known<Headers> = [Exclude<Headers, undefined>] extends [never] ? unknown : Exclude<Headers, undefined>;

/** JSON as the contract has it; a file as a `Blob`, whose `type` is its content type. */
type Content<Declared> = Declared extends { 'application/json': infer Json } ? Json : Blob;

type Body<Operation> = Operation extends { requestBody: { content: infer Declared } }
  ? { body: Content<Declared> }
  : unknown;

/**
 * The arguments of an operation: `path`, `query` and `body` as far as it has them, its headers (`idempotencyKey`,
 * `ifNoneMatch`), and the call's options.
 */
export type Arguments<Id extends OperationId> = Parameters<operations[Id]['parameters']> &
  HeaderOptions<operations[Id]['parameters']> &
  Body<operations[Id]> &
  CallOptions;

/** A success. */
export interface Answer<Status extends number, Data> {
  readonly status: Status;
  /** The body: JSON as the contract has it, a `Blob` for a file, undefined when there is none. */
  readonly data: Data;
  readonly headers: Headers;
  /** The request's id in the service's logs; null when something on the way took it out. */
  readonly requestId: string | null;
}

/** What some answers have more: their headers, as far as the contract gives them. */
type Marks<Response> = (Response extends { headers: { ETag: string } }
  ? {
      /** Stands for this state: send it as `ifNoneMatch`. Null when something on the way took it out. */
      readonly etag: string | null;
    }
  : unknown) &
  (Response extends { headers: { 'Idempotent-Replayed': string } }
    ? {
        /** Whether this is the answer to an earlier request with the same idempotency key, told again. */
        readonly replayed: boolean;
      }
    : unknown);

type Data<Response> = Response extends { content: infer Declared } ? Content<Declared> : undefined;

type Answers<Responses, Statuses extends string, Status = keyof Responses> = Status extends keyof Responses & number
  ? `${Status}` extends Statuses
    ? Answer<Status, Data<Responses[Status]>> & Marks<Responses[Status]>
    : never
  : never;

/** The documented successes of an operation. */
export type Success<Id extends OperationId> = Answers<operations[Id]['responses'], `2${string}`>;

/** The answer to a conditional read that found nothing new: 304, without data. */
export type NotModified<Id extends OperationId> = Answers<operations[Id]['responses'], '304'>;

/** Only a call with an `ifNoneMatch` can meet 304. */
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
