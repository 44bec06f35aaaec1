import { connect } from '@waybill/server/database/connect';
import { sql } from 'kysely';
import { inject, vi } from 'vitest';
import { patience } from './patience.ts';

/** A database of its own on the run's PostgreSQL, empty, for what concerns all accounts; disposal drops it. */
export async function ownDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const name = `own_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = connect({ url: inject('databaseUrl'), poolSize: 1, prepared: false });
  await sql`create database ${sql.id(name)}`.execute(admin);
  const url = new URL(inject('databaseUrl'));
  url.pathname = name;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      // PostgreSQL may not have noticed yet that the last connection is closed; force would break one that is closing.
      await vi.waitFor(() => sql`drop database ${sql.id(name)}`.execute(admin), patience);
      await admin.destroy();
    },
  };
}
