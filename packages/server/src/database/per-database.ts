import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Makes a function that returns one value for each database, such as the queue of its batches. A process of the service has
 * one database; a process of tests has several.
 */
export function perDatabase<T>(make: (db: Kysely<Tables>) => T): (db: Kysely<Tables>) => T {
  const values = new WeakMap<Kysely<Tables>, T>();
  return (db) => {
    let value = values.get(db);
    if (value === undefined) {
      value = make(db);
      values.set(db, value);
    }
    return value;
  };
}
