/** The types of the methods. They follow from the types of the operations, which openapi-typescript makes. */
import type { CallOptions, ChangeOptions, OperationId, PostOptions, ReadOptions } from './calls.ts';
import type { EventPage, EventsParams, StreamParams, WaybillEvent } from './events.ts';
import type { operations } from './generated/types.ts';
import type { ApiPromise, ListPromise } from './promises.ts';

/** An operation on a file takes its signed URL, or the token that the URL contains. */
type Signed<Token> = Token | SignedUrl;
interface SignedUrl {
  /** The signed URL of the file, such as `signature_url` or `upload_url`. No API key is sent to it. */
  url: string;
}
interface File {
  /** The bytes. The `type` of the Blob is sent as their media type. */
  file: Blob;
}

type SignedId = 'putProofFile' | 'getProofFile';
type Parameters<Id extends OperationId, Place extends 'path' | 'query' | 'header'> = NonNullable<
  operations[Id]['parameters'][Place]
>;
type Path<Id extends OperationId> = Id extends SignedId ? Signed<Parameters<Id, 'path'>> : Parameters<Id, 'path'>;
/** Null is the same as nothing, so that `next_cursor` can be passed as `cursor`. */
type Optional<Values> = { [Name in keyof Values]: Values[Name] | null | undefined };
type Query<Id extends OperationId> = Optional<Parameters<Id, 'query'>>;
type Body<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? Content extends { 'application/json': infer Fields }
    ? Fields
    : File
  : unknown;
/** Nothing in place of `never`, which is what an operation without such parameters has. */
type Some<Values> = [Values] extends [never] ? unknown : Values;

/** The parameters of an operation in one object: those of the path, those of the query and the fields of the body. */
export type Params<Id extends OperationId> = Id extends 'listEvents'
  ? EventsParams
  : Id extends 'streamEvents'
    ? StreamParams
    : Some<Path<Id>> & Some<Query<Id>> & Body<Id>;

type DataIn<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Data }
    ? Data
    : Content extends { 'image/png': infer Bytes }
      ? Bytes
      : never
  : never;
type Data<Id extends OperationId> = DataIn<operations[Id]['responses'][keyof operations[Id]['responses']]>;

/** What the call of an operation resolves with. */
export type Result<Id extends OperationId> = [Data<Id>] extends [never] ? undefined : Data<Id>;

type Arguments<Values, Options> =
  Record<never, never> extends Values ? [params?: Values, options?: Options] : [params: Values, options?: Options];

/** The type of a method. */
type Method<Id extends OperationId> = Id extends 'listEvents'
  ? ListEvents
  : Id extends 'streamEvents'
    ? StreamEvents
    : Result<Id> extends { data: (infer Item)[] }
      ? (...call: Arguments<Params<Id>, CallOptions>) => ListPromise<Result<Id>, Item>
      : 'If-None-Match' extends keyof Some<Parameters<Id, 'header'>>
        ? <Tag extends string | null | undefined = undefined>(
            ...call: Arguments<Params<Id>, ReadOptions<Tag>>
          ) => ApiPromise<Result<Id> | (Tag extends string ? undefined : never)>
        : 'Idempotency-Key' extends keyof Some<Parameters<Id, 'header'>>
          ? (...call: Arguments<Params<Id>, PostOptions>) => ApiPromise<Result<Id>>
          : 'If-Match' extends keyof Some<Parameters<Id, 'header'>>
            ? (...call: Arguments<Params<Id>, ChangeOptions>) => ApiPromise<Result<Id>>
            : (...call: Arguments<Params<Id>, CallOptions>) => ApiPromise<Result<Id>>;

type EventType = WaybillEvent['type'];
type ListEvents = <Type extends EventType = EventType>(
  params?: EventsParams<Type>,
  options?: CallOptions,
) => ListPromise<EventPage<Type>, Extract<WaybillEvent, { type: Type }>>;
type StreamEvents = <Type extends EventType = EventType>(
  params?: StreamParams<Type>,
  options?: Pick<CallOptions, 'signal' | 'headers'>,
) => AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined>;

/** One method per operation of the contract, named by its operation id. */
export type Operations = { [Id in keyof operations]: Method<Id> };
