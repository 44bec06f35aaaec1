import { randomUUID } from 'node:crypto';
import { createClient } from '@waybill/client';
import { withClient } from '@waybill/sandbox/postgres/client';
import { shipmentRequest } from '@waybill/sandbox/shipment-request';
import type pg from 'pg';
import { request } from 'undici';
import { type Environment, startEnvironment } from '../chaos/environment.ts';
import { cpuTime } from './compare.ts';
import { startPeer } from './servers.ts';
import { markdown } from './table.ts';

/** Milliseconds until all streams must have an event. */
const timeout = 10_000;
const [streamCount, eventCount, warmUp] = [200, 300, 50] as const;

/** Measures what an event costs for each stream that gets it: of the service, alternately with a server written by hand. */
export async function measureStreams(rounds: number, signal: AbortSignal): Promise<string> {
  const settings = {
    EVENT_STREAMS_PER_KEY: '1000',
    MAX_CONNECTIONS_PER_ADDRESS: '1000',
    LOG_LEVEL: 'info',
    NODE_ENV: 'production',
  };
  await using environment = await startEnvironment(settings, signal);
  const { servers, shipper } = environment;
  const client = createClient(shipper);
  await client.createShipment(shipmentRequest);
  await using peer = await startPeer(environment, 'stream-peer.ts', []);
  const sources = [
    { name: 'Waybill', url: `${shipper.baseUrl}/events/stream`, pid: servers[0]?.pid() ?? 0 },
    { name: 'by hand', url: peer.origin, pid: peer.pid },
  ];
  const rows = [[`${streamCount} streams`, 'CPU µs of an event and stream', 'events/s']];
  for (let round = 0; round < rounds; round++)
    for (const { name, url, pid } of sources) {
      let last = '';
      for await (const { id } of client.listEvents()) last = id;
      rows.push([name, ...(await measure(`${url}?after=${last}`, pid, environment))]);
    }
  const text = markdown(rows);
  console.log(`\n${text}`);
  return `## Streams\n\nThe next event is appended when all streams have the one before.\n\n${text}\n`;
}

async function measure(
  url: string,
  pid: number,
  { accountId, databaseUrl, shipper, signal }: Environment,
): Promise<string[]> {
  await using streams = await openStreams(url, shipper.apiKey, signal);
  return await withClient(databaseUrl, async (client) => {
    const append = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        const received = streams.next();
        await appendEvent(client, accountId);
        await received;
      }
    };
    await append(warmUp);
    const [start, before] = [performance.now(), await cpuTime(pid)];
    await append(eventCount);
    const seconds = (performance.now() - start) / 1000;
    const cost = ((await cpuTime(pid)) - before) / eventCount / streamCount;
    return [cost.toFixed(1), (eventCount / seconds).toFixed(0)];
  });
}

/** Appends a copy of an event of the account, as another instance would. */
async function appendEvent(client: pg.Client, accountId: string): Promise<void> {
  await client.query(
    `insert into events (account_id, number, created_at, type, shipment_id, data)
     (select account_id, nextval('event_numbers'), clock_timestamp(), type, shipment_id, data
      from events where account_id = $1 order by number limit 1)`,
    [accountId],
  );
  await client.query(`select pg_notify('waybill_events', $1)`, [`${randomUUID()} ${accountId}`]);
}

/** Opens streams. `next` resolves when each has received one more event. */
async function openStreams(url: string, apiKey: string, stop: AbortSignal) {
  const controller = new AbortController();
  const { signal } = controller;
  let missing = 0;
  let resolve = (): void => {};
  const open = async (): Promise<void> => {
    const { body, statusCode } = await request(url, { headers: { Authorization: `Bearer ${apiKey}` }, signal });
    if (statusCode !== 200) throw new Error(`A stream has the status ${statusCode}: ${await body.text()}`);
    body.on('error', () => {}); // of the end
    const opened = Promise.withResolvers<void>();
    body.on('data', (part: Buffer) => {
      opened.resolve();
      for (let at = part.indexOf('\nevent: '); at >= 0; at = part.indexOf('\nevent: ', at + 1)) missing--;
      if (missing === 0) resolve();
    });
    await opened.promise;
  };
  await Promise.all(Array.from({ length: streamCount }, open));
  return {
    next(): Promise<void> {
      missing = streamCount;
      return new Promise((done, reject) => {
        resolve = done;
        const end = AbortSignal.any([stop, AbortSignal.timeout(timeout)]);
        end.addEventListener('abort', () => reject(new Error(`${missing} streams have not received an event.`)));
      });
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
    },
  };
}
