import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Calls a function of PostgreSQL. @param values its arguments @returns its result */
export async function callFunction<Result>(db: Kysely<Tables>, name: string, ...values: unknown[]): Promise<Result> {
  const { result } = await db
    .selectNoFrom((is) => is.fn<Result>(name, values.map(is.val)).as('result'))
    .executeTakeFirstOrThrow();
  return result as Result;
}
