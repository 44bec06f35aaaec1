import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { createClient, type WaybillEvent } from '@waybill/client';
import { UsageError } from '@waybill/sandbox/processes/command-line';
import { residentMemory } from '@waybill/sandbox/processes/process-tree';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';
import { shipmentRequest } from '@waybill/sandbox/shipment-request';
import { startEnvironment } from '../chaos/environment.ts';
import { startReceiver } from '../network/receiver.ts';
import { attacks, prepareTarget } from './attacks.ts';
import { requestOf, type Target } from './request-template.ts';
import { quantile, type Steady, sendSteadily } from './steady.ts';
import { median } from './table.ts';

/** Latencies of the other account: at most so many times those alone, and so many milliseconds. */
const limits = [
  { part: 0.5, factor: 3, longest: 50 },
  { part: 0.99, factor: 5, longest: Number.POSITIVE_INFINITY },
];
/** Milliseconds between two reads, and between two writes, of the other account. */
const [readInterval, writeInterval] = [20, 40] as const;
/** Milliseconds until the queues of an attack are full before the measurement, and until they are empty after it. */
const [fill, pause] = [3000, 1000] as const;
/** Measurements without an attack. The medians count: the p99 of a few seconds differs by three times. */
const measurementsAlone = 5;
/** Milliseconds until the last webhook must have arrived. */
const webhookTimeout = 10_000;

const settings = {
  LOG_LEVEL: 'silent',
  EVENT_STREAMS_PER_KEY: '2000',
  MAX_EVENT_STREAMS: '3000',
  MAX_CONNECTIONS_PER_ADDRESS: '5000',
  NODE_OPTIONS: '--max-old-space-size=512',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};

interface Fairness {
  group: 'fairness' | 'attacks';
  /** Part of the names of the rows. */
  only?: string | undefined;
  instances: number;
  seconds: number;
  /** Requests per minute that a key may send. */
  limit: number;
}

/** What the other account sees. */
interface Seen {
  reads: Steady;
  writes: Steady;
  /** Milliseconds from the creation of each event until its webhook arrives, ascending. */
  webhooks: number[];
}

const latenciesOf = ({ reads, writes, webhooks }: Seen): number[][] => [reads.latencies, writes.latencies, webhooks];

/**
 * Measures the reads, writes and webhooks of one account, alone and while another account attacks. Prints a table.
 * @returns 1 when a request or a webhook of the first account fails
 */
export async function measureFairness(
  { group, only = '', instances, seconds, limit }: Fairness,
  signal: AbortSignal,
): Promise<number> {
  const texts = only.split(',');
  const chosen = Object.entries(attacks[group]).filter(([name]) => texts.some((text) => name.includes(text)));
  if (chosen.length === 0) throw new UsageError(`No row has '${only}' in its name.`);
  const env = { ...settings, RATE_LIMIT: String(limit) };
  await using environment = await startEnvironment(env, signal, { isCluster: instances > 1, hasPooler: false });
  /** Of each webhook, milliseconds from the creation of its event until it arrived. */
  const delays: number[] = [];
  await using receiver = await startReceiver(async (request, response) => {
    const now = performance.timeOrigin + performance.now();
    const { created_at } = JSON.parse(await text(request)) as WaybillEvent;
    delays.push(now - Date.parse(created_at));
    response.writeHead(204).end();
  });
  const victim = await prepareTarget(environment);
  await createClient(victim.shipper).createWebhookEndpoint({ url: receiver.url, types: ['shipment.created'] });
  const see = () => observe(victim, delays, seconds);
  await see(); // warm-up

  console.log(`
| attack | attacker | read p50 ms | p99 | write p50 | p99 | webhook p50 | p99 | failures | MiB | fair |
|---|---|${'--:|'.repeat(6)}---|--:|---|`);
  let exitCode = 0;
  /** @param alone for each kind and limit, the latency without an attack */
  const print = async (name: string, seen: Seen, attacker: string, alone?: number[][]): Promise<void> => {
    const kinds = latenciesOf(seen);
    const isFair = alone?.every((ofKind, kind) =>
      limits.every(({ part, factor, longest }, limit) => {
        return quantile(kinds[kind] ?? [], part) <= Math.min(longest, factor * (ofKind[limit] ?? 0));
      }),
    );
    const failures = [...seen.reads.failures, ...seen.writes.failures].map(([status, times]) => `${times} × ${status}`);
    const lost = seen.writes.latencies.length - seen.webhooks.length;
    if (lost > 0) failures.push(`${lost} webhooks`);
    if (failures.length > 0) exitCode = 1;
    const numbers = kinds.flatMap((all) => [quantile(all, 0.5).toFixed(1), quantile(all, 0.99).toFixed(1)]);
    const memory = await residentMemory(environment.servers[0]?.pid() ?? 0);
    const verdict = isFair === undefined ? '' : isFair ? 'yes' : 'no';
    const cells = [name, attacker, ...numbers, failures.join(', ') || 'none', memory ?? '', verdict];
    console.log(`| ${cells.join(' | ')} |`);
  };
  const seenAlone: Seen[] = [];
  for (let count = 0; count < measurementsAlone; count++) {
    const seen = await see();
    await print('none', seen, '');
    seenAlone.push(seen);
  }
  const alone = [0, 1, 2].map((kind) =>
    limits.map(({ part }) => median(seenAlone.map((seen) => quantile(latenciesOf(seen)[kind] ?? [], part)))),
  );
  for (const [name, attack] of chosen) {
    environment.signal.throwIfAborted();
    const { databaseUrl } = environment;
    const target = { ...(await prepareTarget(await environment.createAccount())), databaseUrl };
    const over = new AbortController();
    const attacking = attack(target, seconds + fill / 1000, AbortSignal.any([environment.signal, over.signal]));
    attacking.catch(() => {}); // it is awaited below
    await setTimeout(fill);
    const seen = await see();
    await setTimeout(pause);
    over.abort();
    const attacker = await attacking.catch((error) => (error.name === 'AbortError' ? 'cut' : Promise.reject(error)));
    await print(name, seen, attacker, alone);
    await removeEndpoints(target);
    await setTimeout(pause);
  }
  return exitCode;
}

/** Removes the webhook endpoints of an attacker, whose failed deliveries would be repeated during later attacks. */
async function removeEndpoints({ shipper }: Target): Promise<void> {
  const client = createClient(shipper);
  const { data } = await client.listWebhookEndpoints();
  for (const { id } of data) await client.deleteWebhookEndpoint({ webhook_endpoint_id: id });
}

/** Reads, writes and receives webhooks as one account. @param delays those of its webhooks */
async function observe(victim: Target, delays: number[], seconds: number): Promise<Seen> {
  const { origin } = new URL(victim.shipper.baseUrl);
  const read = requestOf('getTracking', victim);
  const create = requestOf('createShipment', victim, { body: shipmentRequest });
  const write = () => ({ ...create, headers: { ...create.headers, 'Idempotency-Key': randomUUID() } });
  delays.length = 0;
  const [reads, writes] = await Promise.all([
    sendSteadily(origin, () => read, readInterval, seconds),
    sendSteadily(origin, write, writeInterval, seconds),
  ]);
  await waitUntil(() => delays.length >= writes.latencies.length, webhookTimeout);
  return { reads, writes, webhooks: delays.toSorted((a, b) => a - b) };
}
