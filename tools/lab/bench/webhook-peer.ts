import { createHmac, randomUUID } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import pg from 'pg';

/** Webhooks sent by hand: the events of an account, 64 at a time, whose results are stored together. Any request starts it. */
const { ACCOUNT_ID: accountId, DATABASE_URL: connectionString = '', PORT } = process.env;
const [receiver = ''] = process.argv.slice(2);
const atATime = 64;
const secret = randomUUID();
const pool = new pg.Pool({ connectionString, max: 2 });
const agent = new Agent({ keepAlive: true, maxSockets: atATime, maxFreeSockets: atATime });
process.on('SIGTERM', () => process.exit());

function send(id: string, body: string): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return new Promise((resolve, reject) => {
    request(receiver, { method: 'POST', agent, headers })
      .once('response', (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)))
      .once('error', reject)
      .end(body);
  });
}

async function sendAll(): Promise<void> {
  await pool.query('create table if not exists sent_by_hand (number bigint, status integer, sent_at timestamptz)');
  for (let after = '0'; ; ) {
    const { rows } = await pool.query({
      name: 'events',
      text: `select number, type, created_at, data from events where account_id = $1 and number > $2 order by number limit $3`,
      values: [accountId, after, atATime],
    });
    if (rows.length === 0) return;
    after = rows.at(-1).number;
    const results = await Promise.all(
      rows.map(({ number, ...event }) => send(number, JSON.stringify({ id: number, ...event }))),
    );
    await pool.query({
      name: 'results',
      text: `insert into sent_by_hand select *, now() from unnest($1::bigint[], $2::integer[])`,
      values: [rows.map(({ number }) => number), results],
    });
  }
}

createServer((_request, response) => {
  response.end();
  void sendAll();
}).listen(Number(PORT), '127.0.0.1');
