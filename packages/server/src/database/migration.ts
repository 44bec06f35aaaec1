import type { Kysely } from 'kysely';

/** A change of the schema. README.md of migrations/ has the rules that let the previous release run meanwhile. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * Set by a migration with statements that PostgreSQL runs only outside a transaction, such as `create index
   * concurrently`. It must succeed when it is repeated after a failure.
   */
  outsideTransaction?: true;
}

export type Migrations = Record<string, Migration>;
