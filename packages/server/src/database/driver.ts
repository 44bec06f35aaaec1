import { createHash } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, Driver, Kysely, QueryResult, RawBuilder } from 'kysely';
import type pg from 'pg';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import {
  ConnectionLost,
  endsSession,
  HalfOpenConnection,
  isCanceled,
  isDatabaseError,
  isSkipped,
  isStalePlan,
  Overloaded,
} from './errors.ts';
import type { Sessions } from './sessions.ts';
import { arePrepared, type SentStatement, StatementSequence } from './statements/statement-sequence.ts';
import type { Tables } from './tables.ts';
import { type ConnectionWatch, destroyConnection } from './watch.ts';

export interface DriverOptions {
  pool: pg.Pool;
  /** Callers that may wait for a connection. Further ones are rejected. */
  maxWaiting: number;
  /** Whether statements are prepared. */
  prepared: boolean;
  watch: ConnectionWatch | undefined;
  observer: DatabaseObserver | undefined;
  sessions: Sessions;
}

/** Minimum milliseconds between two replacements of all connections. */
const replaceInterval = 1_000;
/** Milliseconds that callers and PostgreSQL may take to finish when the pool ends. */
const endTimeout = 5_000;
/** Others may refuse to run in a transaction, such as `vacuum`, and depend on no setting. */
const needsSettings = /^\s*(with|select|insert|update|delete|merge)\b/i;
/** A statement with more parameters is not prepared: it has one for each value of its rows, and so many different texts. */
const maxPreparedParameters = 50;

interface Statement {
  sql: string;
  parameters: readonly unknown[];
  /**
   * Held until the next statement of its transaction, which may be the commit, and sent together with it, so that its locks
   * do not last for a round trip. Nothing gets its result. When it fails, the next statement throws its error.
   */
  sentWithNext?: true;
  /** Returns what is thrown in place of its error. */
  convertError?: ((error: unknown) => unknown) | undefined;
}

/** A statement, such as a query of Kysely. */
export type Sendable = Pick<RawBuilder<unknown>, 'compile'>;

/**
 * Executes a statement of a transaction whose result nothing needs: it is sent together with the next one or the commit,
 * which throws its error. Outside of a transaction it is sent at once.
 * @param convertError returns what is thrown in place of its error
 */
export async function executeWithNextStatement(
  db: Kysely<Tables>,
  query: Sendable,
  convertError?: (error: unknown) => unknown,
): Promise<void> {
  const statement: Statement & CompiledQuery = { ...query.compile(db), sentWithNext: true, convertError };
  await db.executeQuery(statement);
}

/**
 * Gives Kysely connections of a pool. The queue of callers is bounded, the clients are watched, all clients are replaced
 * after an error that shows that their sessions are stale, and transactions take few round trips.
 */
export class PoolDriver implements Driver {
  readonly #options: DriverOptions;
  readonly #connections = new Map<pg.PoolClient, Connection>();
  /** Connections of an earlier generation are closed instead of used again. */
  #generation = 0;
  #replacedAt = Number.NEGATIVE_INFINITY;
  #onEmpty: () => void = () => {};

  constructor(options: DriverOptions) {
    this.#options = options;
    const { pool } = options;
    const nameOf = options.prepared ? statementNames() : undefined;
    pool.on('connect', (client) => {
      const generation = this.#generation;
      const onError = (error: unknown): void => this.#replaceIfStale(generation, error);
      this.#connections.set(client, new Connection(client, generation, nameOf, options, onError));
    });
    pool.on('remove', (client) => {
      this.#connections.delete(client);
      if (this.#connections.size === 0) this.#onEmpty();
    });
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { pool, maxWaiting } = this.#options;
    if (pool.waitingCount >= maxWaiting) throw new Overloaded('Too many requests wait for a connection.');
    for (;;) {
      const client = await connectWithRetry(() => pool.connect());
      const connection = this.#connections.get(client);
      if (connection?.generation !== this.#generation) {
        client.release(true);
        continue;
      }
      if (!connection.hasSettings) await prepareOnce(client, connection, this.#options);
      return connection;
    }
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    (connection as Connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Connection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Connection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as Connection).release();
  }

  async destroy(): Promise<void> {
    const { pool, watch } = this.#options;
    if (pool.ending) return;
    // The promise of pg resolves before its connections are closed.
    const closed = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      if (this.#connections.size === 0) resolve();
    });
    const ended = pool.end().then(() => closed);
    await withTimeLimit(ended, endTimeout, () => {});
    for (const client of this.#connections.keys())
      destroyConnection(client, new ConnectionLost('The connection did not close in time.'));
    watch?.close();
  }

  #replaceIfStale(generation: number, error: unknown): void {
    const now = performance.now();
    if (!isStaleSession(error) || generation !== this.#generation || now - this.#replacedAt < replaceInterval) return;
    this.#generation++;
    this.#replacedAt = now;
  }
}

/**
 * A connection of the pool. In a transaction, `begin` is sent together with the first statement, and statements that are
 * `sentWithNext` together with the next one: PostgreSQL executes them one after the other. When one fails, the commit
 * becomes a rollback.
 */
class Connection implements DatabaseConnection {
  readonly generation: number;
  /** Whether its session has its settings. */
  hasSettings = false;
  readonly #client: pg.PoolClient;
  readonly #nameOf: ((sql: string) => string) | undefined;
  readonly #options: DriverOptions;
  readonly #onError: (error: unknown) => void;
  /** Whether `begin` is sent. */
  #isBegun = false;
  #isInTransaction = false;
  #held: Statement[] = [];
  #isBroken = false;

  constructor(
    client: pg.PoolClient,
    generation: number,
    nameOf: ((sql: string) => string) | undefined,
    options: DriverOptions,
    onError: (error: unknown) => void,
  ) {
    this.#client = client;
    this.generation = generation;
    this.#nameOf = nameOf;
    this.#options = options;
    this.#onError = onError;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement: Statement = query;
    if (statement.sentWithNext && this.#isInTransaction) {
      this.#held.push(statement);
      return { rows: [] };
    }
    const result = await (this.#isInTransaction ? this.#send(statement) : this.#sendAlone(statement));
    const isChange = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(result.command);
    return { rows: (result.rows ?? []) as Row[], ...(isChange && { numAffectedRows: BigInt(result.rowCount ?? 0) }) };
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method, and nothing calls it
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams of rows are not supported');
  }

  begin(): void {
    this.#isInTransaction = true;
    this.#held = [{ sql: 'begin isolation level read committed', parameters: [] }, ...this.#first()];
    this.#isBegun = false;
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false;
    const held = this.#isBegun ? [] : this.#held.slice(1); // without `begin`
    if (held.length > 0 && this.#options.sessions.hasImplicitTransactions) {
      const sent = held.map(this.#forPg);
      if (arePrepared(this.#client, sent)) {
        this.#held = [];
        await this.#query(held, sent); // PostgreSQL executes what precedes a Sync as one transaction
        return;
      }
    }
    const { command } = await this.#send({ sql: 'commit', parameters: [] });
    if (command === 'ROLLBACK') throw new Error('PostgreSQL has rolled the transaction back');
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    this.#held = [];
    // Closing a broken connection rolls back; a statement could hang.
    if (this.#isBegun && !this.#isBroken) await this.#send({ sql: 'rollback', parameters: [] });
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** What precedes the statements of a transaction, also of one statement. */
  #first(): Statement[] {
    const { beforeTransaction } = this.#options.sessions;
    return beforeTransaction === undefined ? [] : [{ sql: beforeTransaction, parameters: [], sentWithNext: true }];
  }

  /** Sends a statement outside of a transaction. @returns its result */
  async #sendAlone(statement: Statement): Promise<pg.QueryResult> {
    const statements = [...this.#first(), statement];
    if (statements.length === 1 || !needsSettings.test(statement.sql)) return this.#send(statement);
    const sent = statements.map(this.#forPg);
    if (arePrepared(this.#client, sent)) return this.#query(statements, sent);
    // A sequence prepares none, and without a transaction each may get another session.
    this.begin();
    try {
      const result = await this.#send(statement);
      await this.commit();
      return result;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  /** Sends a statement together with those that are held. @returns its result */
  async #send(statement: Statement): Promise<pg.QueryResult> {
    const statements = [...this.#held, statement];
    this.#held = [];
    if (statements.length > 1) this.#isBegun = true;
    const sent = statements.map(this.#forPg);
    if (statements.length === 1 || arePrepared(this.#client, sent)) return this.#query(statements, sent);
    const results = statements.map((each, index) => this.#query([each], sent.slice(index, index + 1)));
    // All have ended before the connection is used again. The first error caused the others.
    const failed = (await Promise.allSettled(results)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return results.at(-1) as Promise<pg.QueryResult>;
  }

  /** @param sent the statements as pg gets them @returns the result of the last one */
  async #query(statements: Statement[], sent: SentStatement[]): Promise<pg.QueryResult> {
    const { watch, observer } = this.#options;
    const endings = observer ? statements.map(({ sql }) => observer.startStatement(sql)) : [];
    watch?.startWaiting(this.#client);
    let sequence: StatementSequence | undefined;
    try {
      // With the promise of pg, V8 keeps ended queries and their rows until its next full collection (decision 0033).
      const result = await new Promise<pg.QueryResult>((resolve, reject) => {
        const end = (error: Error | undefined, ended: pg.QueryResult): void => (error ? reject(error) : resolve(ended));
        if (sent.length === 1) return this.#client.query(sent[0] as SentStatement, end);
        sequence = new StatementSequence(sent, end);
        this.#client.query(sequence as unknown as pg.Submittable);
      });
      for (const endStatement of endings) endStatement();
      return result;
    } catch (error) {
      const failed = sequence?.ended ?? 0;
      for (const [index, endStatement] of endings.entries())
        endStatement(index < failed || isSkipped(error) ? undefined : error);
      // After an error of the connection or the end of the session, a rollback would fail, too, and hide this error. After a
      // cancellation, a worker of Citus that does not respond would let the next statement of the connection wait, too.
      if (!isDatabaseError(error) || endsSession(error) || isCanceled(error)) this.#isBroken = true;
      this.#onError(error);
      throw statements[failed]?.convertError?.(error) ?? error;
    } finally {
      watch?.stopWaiting(this.#client);
    }
  }

  readonly #forPg = ({ sql: text, parameters, sentWithNext }: Statement): SentStatement => {
    const isNamed = (parameters.length > 0 || sentWithNext) && parameters.length <= maxPreparedParameters;
    return { name: isNamed ? this.#nameOf?.(text) : undefined, text, values: [...parameters] };
  };
}

async function prepareOnce(
  client: pg.PoolClient,
  connection: Connection,
  { sessions, watch }: DriverOptions,
): Promise<void> {
  watch?.startWaiting(client);
  try {
    await sessions.prepare(client);
    connection.hasSettings = true;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    watch?.stopWaiting(client);
  }
}

/** Connects. Tries again once when only the new connection failed and PostgreSQL was reachable. */
async function connectWithRetry(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof HalfOpenConnection) return connect();
    throw error;
  }
}

/**
 * Whether an error shows that this session and those of the same age are stale: the server has become a replica and is
 * read-only, or the prepared statements are gone or older than a migration.
 */
function isStaleSession(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  return error.code === '25006' || error.code === '26000' || isStalePlan(error);
}

/**
 * Makes names of prepared statements, so that PostgreSQL parses and plans each statement once per connection. A name is a
 * hash of the text. Other statements without parameters get no name, because migrations send several in one text.
 */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (!name) {
      name = createHash('sha1').update(text).digest('base64url');
      names.set(text, name);
    }
    return name;
  };
}

/** Observes a database for metrics, traces and the log (telemetry/telemetry.ts). Its functions must not throw. */
export interface DatabaseObserver {
  /** A statement is sent. @returns the function to call when it has ended, with the error if it failed */
  startStatement(text: string): (error?: unknown) => void;
  /** An item starts to wait for a batch. @returns the trace span of its request, which `runBatch` gets */
  callerOf(): unknown;
  /** Runs a batch. @param callers of its items */
  runBatch<Result>(name: string, callers: unknown[], run: () => Promise<Result>): Promise<Result>;
}
