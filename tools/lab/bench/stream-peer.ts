import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';

/** Server-Sent Events by hand: the new events of an account, to all that listen. */
const { ACCOUNT_ID: accountId, DATABASE_URL: connectionString, PORT } = process.env;
const client = new pg.Client({ connectionString });
const streams = new Set<ServerResponse>();
process.on('SIGTERM', () => process.exit());

await client.connect();
const newest = await client.query('select max(number) as number from events where account_id = $1', [accountId]);
let after = newest.rows[0].number;
let reading = Promise.resolve();

async function sendNew(): Promise<void> {
  const { rows } = await client.query({
    name: 'events',
    text: `select number, type, created_at, data from events where account_id = $1 and number > $2 order by number limit 200`,
    values: [accountId, after],
  });
  for (const { number, ...event } of rows) {
    after = number;
    const text = `id: ${number}\nevent: ${event.type}\ndata: ${JSON.stringify({ id: number, ...event })}\n\n`;
    for (const stream of streams) stream.write(text);
  }
}

client.on('notification', () => {
  reading = reading.then(sendNew);
});
await client.query('listen waybill_events');
createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': begin\n\n');
  streams.add(response);
  response.once('close', () => streams.delete(response));
}).listen(Number(PORT), '127.0.0.1');
