import { openDatabase } from '@waybill/server/database/database';
import { sql } from 'kysely';
import { databaseUrl } from '../fixtures/database-url.ts';

/**
 * A database role without privileges on the tables of shipments, accesses, uploads, events and webhook endpoints. It cannot read which
 * endpoints there are, so that its service gets none of them.
 */
export async function restrictedRole(): Promise<{ url: string } & AsyncDisposable> {
  const url = new URL(databaseUrl());
  const db = openDatabase({ url: url.href, poolSize: 1, prepared: false });
  const name = `restricted_${crypto.randomUUID().replaceAll('-', '')}`;
  const role = sql.id(name);
  await sql`create role ${role} login password 'restricted'`.execute(db);
  await sql`grant all on all tables in schema public to ${role}`.execute(db);
  await sql`revoke all on shipments, accesses, proof_uploads, events, webhook_endpoints, webhook_changes from ${role}`.execute(
    db,
  );
  url.username = name;
  url.password = 'restricted';
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql`drop owned by ${role}`.execute(db);
      await sql`drop role ${role}`.execute(db);
      await db.destroy();
    },
  };
}
