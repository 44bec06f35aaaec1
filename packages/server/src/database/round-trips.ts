/** Sends a statement and resolves to its result. */
export type Send = (text: string, values: unknown[]) => Promise<unknown>;

const sentWithCommit = new Set<string>();

/**
 * Registers a statement that is held until the commit of its transaction and sent together with it, so that its locks do
 * not last for a round trip. It must be the last statement. Nothing gets its result. When it fails, the commit throws its
 * error. Outside a transaction it is sent at once.
 * @param text of the statement
 */
export const holdUntilCommit = (text: string): void => void sentWithCommit.add(text);

const noResult = { command: '', rowCount: 0, rows: [] };

/**
 * Saves round trips of transactions: `begin` is sent together with the first statement, and a statement of `holdUntilCommit`
 * together with `commit`. PostgreSQL executes them one after the other. When one fails, the commit becomes a rollback.
 * pool.ts wraps the statements of each connection with it. Kysely sends `begin`, `commit` and `rollback` as these texts.
 * @param send for one connection; it sends a statement before PostgreSQL has responded to the previous one
 */
export function savingRoundTrips(send: Send): Send {
  let held: { text: string; values: unknown[] }[] = [];
  let isInTransaction = false;
  return async (text, values) => {
    const statement = { text, values };
    if (text === 'begin') isInTransaction = true;
    else if (text === 'commit' || text === 'rollback') isInTransaction = false;
    if (text === 'begin' || (isInTransaction && sentWithCommit.has(text))) {
      held.push(statement);
      return noResult;
    }
    if (held.length === 0) return send(text, values);
    // `begin` is held until the first statement of its transaction.
    const isBeginSent = held[0]?.text !== 'begin';
    const statements = [...held, statement];
    held = [];
    if (text === 'rollback') return isBeginSent ? send(text, values) : noResult;
    const results = await Promise.allSettled(statements.map((each) => send(each.text, each.values)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const last = results.at(-1);
    return last?.status === 'fulfilled' ? last.value : noResult;
  };
}
