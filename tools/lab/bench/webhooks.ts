import { createClient } from '@waybill/client';
import { type Environment, startEnvironment } from '../chaos/environment.ts';
import { startReceiver } from '../network/receiver.ts';
import { cpuTime } from './compare.ts';
import { accountCount, eventsOfAccount, fillDatabase } from './data-set.ts';
import { startPeer } from './servers.ts';
import { markdown } from './table.ts';

/** Starts to send the events of the account to a URL. @returns the process that sends them */
type Start = (url: string) => Promise<AsyncDisposable & { pid: number }>;

const hour = 3_600_000;

/** Sends the stored events of an account to a receiver that responds at once: the service alternately with a loop written by hand. */
export async function measureWebhooks(rounds: number, signal: AbortSignal): Promise<string> {
  const settings = { LOG_LEVEL: 'info', NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'true' };
  await using environment = await startEnvironment(settings, signal);
  await fillDatabase(environment.databaseUrl, accountCount * eventsOfAccount, signal);
  const rows = [[`${eventsOfAccount} webhooks`, 'events/s', 'CPU µs', 'Node', 'PostgreSQL', 'connections']];
  const senders: [name: string, start: Start][] = [
    ['Waybill', (url) => startReplay(environment, url)],
    ['by hand', (url) => startLoop(environment, url)],
  ];
  for (let round = 0; round < rounds; round++)
    for (const [name, start] of senders)
      rows.push([name, ...(await measure(start, environment)).map((figure) => figure.toFixed(0))]);
  const text = markdown(rows);
  console.log(`\n${text}`);
  return `## Webhooks\n\nOf stored events, to a receiver that responds at once.\n\n${text}\n`;
}

async function startReplay({ servers, shipper }: Environment, url: string) {
  const client = createClient(shipper);
  const { id: webhook_endpoint_id } = await client.createWebhookEndpoint({ url });
  const to = new Date();
  await client.replayWebhookEvents({ webhook_endpoint_id, from: new Date(to.getTime() - hour), to });
  return {
    pid: servers[0]?.pid() ?? 0,
    [Symbol.asyncDispose]: () => client.deleteWebhookEndpoint({ webhook_endpoint_id }),
  };
}

async function startLoop(environment: Environment, url: string) {
  const peer = await startPeer(environment, 'webhook-peer.ts', [url]);
  await fetch(peer.origin);
  return peer;
}

/** @returns events per second, microseconds of an event: all, of Node, of PostgreSQL; and connections */
async function measure(start: Start, { postgres }: Environment): Promise<number[]> {
  const postgresId = postgres?.pid() ?? 0;
  const connections = new Set<unknown>();
  const done = Promise.withResolvers<void>();
  let received = 0;
  await using receiver = await startReceiver((request, response) => {
    connections.add(request.socket);
    request.resume().once('end', () => {
      response.writeHead(204).end();
      if (++received === eventsOfAccount) done.resolve();
    });
  });
  const [begin, postgresBefore] = [performance.now(), await cpuTime(postgresId)];
  await using sender = await start(receiver.url);
  const before = await cpuTime(sender.pid);
  await done.promise;
  const seconds = (performance.now() - begin) / 1000;
  const node = ((await cpuTime(sender.pid)) - before) / received;
  const database = ((await cpuTime(postgresId)) - postgresBefore) / received;
  return [received / seconds, node + database, node, database, connections.size];
}
