import { setTimeout } from 'node:timers/promises';
import { createClient } from '@waybill/client';
import { startEnvironment } from '../chaos/environment.ts';
import { statOf } from '../processes/process-tree.ts';
import { shipmentRequest } from '../shipment-request.ts';
import { lastEvent } from '../start/live-events.ts';
import { cpuTime } from './cpu-time.ts';
import { quantile } from './steady.ts';
import { openReader, type Reader } from './stream-reader.ts';
import { markdownTable } from './table.ts';

/** Bytes of a page of memory on Linux. */
const pageSize = 4096;

/**
 * Opens streams of events, and creates shipments. Prints the memory and CPU time of the server, and the time from the creation
 * of each event, before its commit, until it arrives.
 * @param rate shipments per second
 * @returns 1 when an event is missing
 */
export async function measureStreams(
  { streams, accounts, rate, seconds }: { streams: number; accounts: number; rate: number; seconds: number },
  signal: AbortSignal,
): Promise<number> {
  const limits = { MAX_EVENT_STREAMS: 2 * streams, EVENT_STREAMS_PER_KEY: streams, EVENT_STREAM_SECONDS: 86_400 };
  const connections = { MAX_CONNECTIONS: 1_000_000, MAX_CONNECTIONS_PER_ADDRESS: 1_000_000 };
  const env = Object.entries({ ...limits, ...connections }).map(([name, value]) => [name, String(value)]);
  await using environment = await startEnvironment({ LOG_LEVEL: 'silent', ...Object.fromEntries(env) }, signal);
  const parties = [environment.shipper];
  while (parties.length < accounts) parties.push((await environment.createAccount()).shipper);
  const clients = parties.map((party) => createClient(party));
  const partyOf = (index: number) => parties[index % parties.length] ?? environment.shipper;
  const create = async (index: number): Promise<void> => {
    await clients[index % clients.length]?.createShipment(shipmentRequest);
  };
  for (let index = 0; index < 200; index++) await create(index); // warm-up
  const pid = environment.servers[0]?.pid() ?? 0;
  const memory = async (): Promise<number> => (Number((await statOf(pid))?.[21]) * pageSize) / 2 ** 20;
  const cpuFor = async (work: Promise<unknown>): Promise<number> => {
    const [before, start] = [await cpuTime(pid), performance.now()];
    await work;
    return ((await cpuTime(pid)) - before) / 1000 / (performance.now() - start);
  };

  const memoryBefore = await memory();
  const after = await Promise.all(clients.map(lastEvent));
  const delays: number[] = [];
  const readers: Reader[] = [];
  const opened = performance.now();
  while (readers.length < streams) {
    const next = Array.from({ length: Math.min(50, streams - readers.length) }, (_, index) => readers.length + index);
    const open = (index: number) =>
      openReader(partyOf(index), (delay) => delays.push(delay), after[index % parties.length]);
    readers.push(...(await Promise.all(next.map(open))));
  }
  const openTime = performance.now() - opened;
  await setTimeout(2000);
  const memoryOpen = await memory();
  const cpuIdle = await cpuFor(setTimeout(20_000));
  delays.length = 0;
  const total = rate * seconds;
  const write = async (): Promise<void> => {
    const start = performance.now();
    const writes: Promise<void>[] = [];
    for (let index = 0; index < total; index++) {
      await setTimeout(Math.max(0, start + (index * 1000) / rate - performance.now()), undefined, { signal });
      writes.push(create(index));
    }
    await Promise.all(writes);
  };
  const cpuWriting = await cpuFor(write());
  await setTimeout(2000);
  const memoryAfter = await memory();
  readers.forEach(({ close }) => void close());
  const expected = Array.from({ length: streams }, (_, index) =>
    countOf(index % parties.length, total, parties.length),
  );
  const lost = expected.reduce((sum, count) => sum + count, 0) - delays.length;
  delays.sort((a, b) => a - b);
  const at = (share: number): string => quantile(delays, share).toFixed();
  console.log(
    markdownTable([
      ['measure', 'value'],
      ['open streams, accounts', `${streams}, ${accounts}`],
      ['time to open them', `${(openTime / 1000).toFixed(1)} s`],
      ['memory (RSS) before', `${memoryBefore.toFixed()} MB`],
      ['with open streams', `${memoryOpen.toFixed()} MB`],
      ['after the measurement', `${memoryAfter.toFixed()} MB`],
      ['memory of a stream', `${(((memoryOpen - memoryBefore) * 1024) / streams).toFixed()} kB`],
      ['CPU without events', `${(cpuIdle * 100).toFixed(1)} %`],
      [`CPU with ${rate} events/s`, `${(cpuWriting * 100).toFixed(1)} %`],
      ['events received', `${delays.length}, ${lost} missing`],
      ['delay p50, p90, p99, longest', `${at(0.5)}, ${at(0.9)}, ${at(0.99)}, ${at(1)} ms`],
    ]),
  );
  return lost === 0 ? 0 : 1;
}

/** How many of the writes are of an account. */
function countOf(account: number, total: number, accounts: number): number {
  return Math.floor(total / accounts) + (account < total % accounts ? 1 : 0);
}
