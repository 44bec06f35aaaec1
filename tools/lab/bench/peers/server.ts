import Fastify from 'fastify';
import pg from 'pg';

const { ACCOUNT_ID, DATABASE_URL, PORT } = process.env;

/** The account of all requests: peers do not authenticate. */
export const accountId = String(ACCOUNT_ID);
export const app = Fastify();
/** As many connections as the service has by default. */
export const pool = new pg.Pool({ connectionString: String(DATABASE_URL), max: 10 });

process.on('SIGTERM', () => process.exit());
export const listen = (): Promise<string> => app.listen({ host: '127.0.0.1', port: Number(PORT) });
