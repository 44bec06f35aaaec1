import type { Readable } from 'node:stream';
import type { operations as table } from '@waybill/contract/operations';
import type { operations } from '@waybill/contract/types';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Loaders } from '../loaders.ts';
import type { Links } from '../storage/signed-urls.ts';
import type { Storage } from '../storage/storage.ts';

export type OperationId = keyof operations & keyof typeof table;

type Json<T> = T extends { content: { 'application/json': infer Body } }
  ? Body
  : T extends { content: Record<string, unknown> }
    ? Readable
    : undefined;
type Known<T> = { [K in keyof T as string extends K ? never : Lowercase<K & string>]: T[K] };
type Parameter<Id extends OperationId, In extends 'path' | 'query' | 'header'> = Known<
  NonNullable<operations[Id]['parameters'][In]>
>;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success<Id extends OperationId> = keyof Responses<Id> & (200 | 201 | 202 | 204);
/** Headers that the adapter sends; the other documented ones are the handler's. */
type OwnHeaders<H> =
  | 'x-request-id'
  | 'ratelimit'
  | 'ratelimit-policy'
  | 'idempotent-replayed'
  | ('etag' extends keyof Known<H> ? 'etag' | 'cache-control' | 'vary' : never);
type HeadersOf<R> = (R extends { headers: infer H } ? Omit<Known<H>, OwnHeaders<H>> : unknown) &
  (Json<R> extends Readable ? { 'content-type': string; 'content-length': string } : unknown);

/** What the contract says about a request, after validation. A file's body is a stream. */
export interface Request<Id extends OperationId> {
  path: Parameter<Id, 'path'>;
  query: Parameter<Id, 'query'>;
  headers: Known<Parameter<Id, 'header'>>;
  body: Json<operations[Id] extends { requestBody: infer Body } ? Body : undefined>;
}

interface Answer<Id extends OperationId, Status extends Success<Id>> {
  status: Status;
  body: Json<Responses<Id>[Status]>;
}
interface AnswerWithHeaders<Id extends OperationId, Status extends Success<Id>> extends Answer<Id, Status> {
  headers: HeadersOf<Responses<Id>[Status]>;
}
export type Response<Id extends OperationId> = {
  [S in Success<Id>]: keyof HeadersOf<Responses<Id>[S]> extends never ? Answer<Id, S> : AnswerWithHeaders<Id, S>;
}[Success<Id>];

interface AccountContext {
  accountId: string;
  now: Date;
}
/** Reads see the database and the loaders, which batch point reads across requests. */
export interface ReadContext extends AccountContext {
  db: Kysely<Tables>;
  load: Loaders;
}
/** Writes see nothing but their transaction: no loader, no second connection, no effect outside the database. */
export interface WriteContext extends AccountContext {
  db: Transaction<Tables>;
  /** For how many days positions are retained. */
  positionDays: number;
  /** How many bytes the files of an account may have together. */
  storageBytes: number;
  trackingPrefix: string;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
}
/** Files come and go over signed URLs: there is no key, the token carries the account. */
export interface FileContext {
  db: Kysely<Tables>;
  links: Links;
  storage: Storage;
  /** Lower-case, without parameters; empty when there is none. */
  contentType: string;
  log: { error(fields: object, message: string): void };
  now: Date;
}
export type ContextOf<Id extends OperationId> = (typeof table)[Id]['scope'] extends null
  ? FileContext
  : (typeof table)[Id]['method'] extends 'GET'
    ? ReadContext
    : WriteContext;

/** Answers with one of its operation's documented successes; everything else is thrown as a Problem. */
export type Handler<Id extends OperationId> = (request: Request<Id>, context: ContextOf<Id>) => Promise<Response<Id>>;
export type Handlers = { [Id in OperationId]: Handler<Id> };
