import pg from 'pg';

/** A statement for pg. */
export interface SentStatement {
  /** Of its prepared statement; undefined without one. */
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** Converts a value to a parameter, as pg does for its own queries. Its types lack it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** What a sequence uses of a connection of pg. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  /** The texts of the prepared statements, by name. */
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: unknown[]; valueMapper(value: unknown): unknown }): void;
  describe(portal: { type: 'P'; name: '' }): void;
  execute(portal: { portal: ''; rows: 0 }): void;
  sync(): void;
}

/** The methods by which a client of pg sends a query and gives it the responses. */
interface ClientQuery {
  submit(wire: Wire): null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
type Callback = (error: Error | undefined, result: pg.QueryResult | pg.QueryResult[]) => void;
const ClientQuery = pg.Query as unknown as new (config: { text: string }, callback: Callback) => ClientQuery;

/** Whether a connection has prepared all statements that have a name. A sequence prepares none. */
export const arePrepared = (client: pg.ClientBase, statements: SentStatement[]): boolean => {
  const { parsedStatements } = (client as unknown as { connection: Wire }).connection;
  return statements.every(({ name }) => name === undefined || Object.hasOwn(parsedStatements, name));
};

/**
 * Statements that a client sends together, with one Sync at the end: PostgreSQL leaves out those after one that fails, and
 * responds once. Sent one by one, each would cost both sides a response. Only the last one returns rows.
 *
 * Protocol: PostgreSQL manual, "Extended Query" and "Pipelining". pg refuses queries of other classes in its pipeline mode, because
 * they may keep a portal open, which this one does not.
 */
export class StatementSequence extends ClientQuery {
  /** How many statements have ended: the index of the failed one after an error. */
  ended = 0;
  readonly statements: readonly SentStatement[];

  constructor(statements: SentStatement[], callback: (error: Error | undefined, result: pg.QueryResult) => void) {
    super({ text: '' }, (error, results) => callback(error, [results].flat().at(-1) as pg.QueryResult));
    this.statements = statements;
  }

  override submit(wire: Wire): null {
    wire.stream.cork();
    try {
      for (const [index, { name = '', text, values }] of this.statements.entries()) {
        if (name === '') wire.parse({ name, text });
        wire.bind({ statement: name, values, valueMapper: prepareValue });
        if (index === this.statements.length - 1) wire.describe({ type: 'P', name: '' });
        wire.execute({ portal: '', rows: 0 });
      }
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
    return null;
  }

  override handleDataRow(message: unknown): void {
    if (this.ended === this.statements.length - 1) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    super.handleCommandComplete(message, wire);
    this.ended++;
  }
}
