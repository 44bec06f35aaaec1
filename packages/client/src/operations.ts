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
  /** Milliseconds until the call is given up; the client's `timeout` when absent. */
  timeout?: number | undefined;
  /** More request headers; they win over the client's own. */
  headers?: Record<string, string> | undefined;
}

/** The contract's parameters by their place, without the places that an operation does not use. */
type Parameters<Declared> = {
  [Place in keyof Declared as [Exclude<Declared[Place], undefined>] extends [never] ? never : Place]: Declared[Place];
};

/** JSON as the contract has it; a file as a `Blob`, whose `type` is its content type. */
type Content<Declared> = Declared extends { 'application/json': infer Json } ? Json : Blob;

type Body<Operation> = Operation extends { requestBody: { content: infer Declared } }
  ? { body: Content<Declared> }
  : unknown;

/** The arguments of an operation: `path`, `query` and `body` as far as it has them, and the call's options. */
export type Arguments<Id extends OperationId> = Parameters<operations[Id]['parameters']> &
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

type Successes<Responses, Status = keyof Responses> = Status extends keyof Responses & number
  ? `${Status}` extends `2${string}`
    ? Answer<Status, Responses[Status] extends { content: infer Declared } ? Content<Declared> : undefined>
    : never
  : never;

/** The documented successes of an operation. */
export type Success<Id extends OperationId> = Successes<operations[Id]['responses']>;

type Call<Id extends OperationId> =
  Partial<Arguments<Id>> extends Arguments<Id>
    ? (call?: Arguments<Id>) => Promise<Success<Id>>
    : (call: Arguments<Id>) => Promise<Success<Id>>;

/** One method per operation of the contract, named by its id. */
export type Operations = { readonly [Id in OperationId]: Call<Id> };
