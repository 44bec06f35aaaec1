import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { connect } from '@waybill/server/database/connect';
import { sql } from 'kysely';
import { inject } from 'vitest';

/** A wire to the database that can be cut. */
export interface Wire extends AsyncDisposable {
  /** The database's URL at this end of the wire. */
  url: string;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  mend(): void;
}

export async function wireTo(databaseUrl: string): Promise<Wire> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = dial(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  const address = server.address();
  if (typeof address === 'object' && address) url.host = `127.0.0.1:${address.port}`;
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      end();
      server.close();
    },
  };
}

/** A role of the database that may do everything but touch what operations are about: shipments and files. */
export async function powerlessRole(): Promise<{ url: string } & AsyncDisposable> {
  const url = new URL(inject('databaseUrl'));
  const db = connect({ url: url.href, poolSize: 1, prepared: false });
  const name = `powerless_${crypto.randomUUID().replaceAll('-', '')}`;
  const role = sql.id(name);
  await sql`create role ${role} login password 'powerless'`.execute(db);
  await sql`grant all on all tables in schema public to ${role}`.execute(db);
  await sql`revoke all on shipments, proof_uploads from ${role}`.execute(db);
  url.username = name;
  url.password = 'powerless';
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql`drop owned by ${role}`.execute(db);
      await sql`drop role ${role}`.execute(db);
      await db.destroy();
    },
  };
}
