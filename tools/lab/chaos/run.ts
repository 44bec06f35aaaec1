import { setTimeout } from 'node:timers/promises';
import { createClient } from '@waybill/client';
import { residentMemory } from '@waybill/sandbox/processes/process-tree';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';
import { Random } from '@waybill/sandbox/simulate/random';
import { simulate } from '@waybill/sandbox/simulate/simulate';
import type { Entry } from '@waybill/sandbox/simulate/writes';
import type { Run } from './checks/check.ts';
import { runFinalCheck } from './checks/final-check.ts';
import { count, type Observation, violationsOf } from './checks/violations.ts';
import type { Environment } from './environment.ts';
import type { Fault } from './faults.ts';
import { startEventReaders } from './readers/event-readers.ts';
import { read } from './readers/readers.ts';
import { startWebhookReader } from './readers/webhook-reader.ts';
import { createRecorder, type RecordedRequest, type Recorder } from './recorder.ts';

/** Simulated seconds per second: a shipment takes one or two real seconds. */
const speed = 10_000;
/** The share of interrupted writes that are abandoned, as if their client had crashed too. */
const abandonedShare = 0.03;
/** The share of webhooks that their receiver refuses. */
const refusedShare = 0.3;
/** Milliseconds of load before a fault. */
const before = [400, 2000] as const;
/** The service has recovered when no request fails for this time, in milliseconds. */
const quiet = 2000;
/** Longer than every timeout of the service, in milliseconds: of a request, and of the recovery. */
const [requestTimeout, recoveryTimeout] = [20_000, 60_000] as const;

/** Settings of the servers. With a small heap, the table's resident memory shows a leak rather than garbage. */
export const chaosSettings = {
  CHECK_RESPONSES: 'true',
  NODE_OPTIONS: '--max-old-space-size=96',
  OVERLOAD_DELAY_MS: '600000', // the machine may be busy
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};

export interface ChaosOptions {
  rounds: number;
  /** At a time. */
  shipments: number;
  seed: number;
  /** Milliseconds in which every request ends, and in which the service recovers. */
  limit: number;
  /** Factor of the durations of the faults and of the load around them, and of the rate of the readers. */
  scale?: number;
}

const columns = ['round', 'fault', 'ms', 'requests', '503', 'closed', 'other', 'slowest ms', 'recovery ms', 'MiB'];

/**
 * Causes faults in turn while clients read and write. Checks for each that only requests have failed that need what has failed,
 * and at the end that no acknowledged write is lost or duplicated. Prints a table and what is wrong.
 * @returns everything that is wrong; empty for a passed run
 */
export async function runChaos(
  environment: Environment,
  faults: Record<string, Fault>,
  { rounds, shipments, seed, limit, scale = 1 }: ChaosOptions,
): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  const { signal, databaseUrl, servers } = environment;
  console.log(`Seed ${seed}`);
  const findings: string[] = [];
  const report = (finding: string): void => {
    if (findings.push(finding) <= 50) console.error(finding);
  };
  const random = new Random(seed);
  const chance = (share: number) => {
    const own = random.fork();
    return () => own.chance(share);
  };
  const [completed, over] = [new AbortController(), new AbortController()];
  stack.defer(() => {
    completed.abort();
    over.abort();
  });
  const loadSignal = AbortSignal.any([signal, completed.signal]);
  const recorder = createRecorder(loadSignal);
  const timeouts = { timeout: requestTimeout, attemptTimeout: requestTimeout };
  const shipper = { ...environment.shipper, ...timeouts };
  const recorded = { ...timeouts, fetch: recorder.fetch };
  const load = { shipper: { ...shipper, ...recorded }, carrier: { ...environment.carrier, ...recorded } };
  const webhooks = stack.use(await startWebhookReader(shipper, databaseUrl, chance(refusedShare)));
  const readers = [...(await startEventReaders(shipper, AbortSignal.any([signal, over.signal]))), webhooks];
  const entries: Entry[] = [];
  const observer = {
    begin: (entry: Entry) => void entries.push(entry),
    abandons: chance(abandonedShare),
  };
  const options = { shipments, speed, seed: Math.floor(random.next() * 2 ** 32), endless: true };
  const loading = Promise.all([
    simulate({ ...load, ...options, observer, signal: loadSignal }),
    read(load.shipper, recorder, loadSignal, scale),
  ]);
  const run: Run = { client: createClient(shipper), entries, signal, report };
  try {
    console.log(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
    const isWarm = (): boolean =>
      ['PUT /v1/uploads', 'GET /v1/files', 'POST /v1/shipments'].every((text) =>
        recorder.requests.some((request) => request.outcome === 'ok' && request.text.startsWith(text)),
      );
    if (!(await waitUntil(isWarm, recoveryTimeout))) throw new Error('The load does not reach a delivery.');
    for (let round = 1; round <= rounds; round++) {
      // In turn, so that a few rounds cover all faults; only their timing is random.
      const [name, fault] = Object.entries(faults)[(round - 1) % Object.keys(faults).length] ?? [];
      if (!name || !fault) throw new Error('There is no fault to cause.');
      const observed = await observe(fault, environment, recorder, random, scale);
      for (const each of violationsOf(fault, observed, limit)) report(`${name}: ${each}`);
      if (observed.recovery === Number.POSITIVE_INFINITY) {
        // Started again, so that the writes can be checked.
        for (const server of servers) await server.kill().then(server.start);
      }
      const memory = await residentMemory(servers[0]?.pid() ?? 0);
      console.log(`| ${[round, name, ...requestCells(observed), memory ?? ''].join(' | ')} |`);
    }
    completed.abort();
    const [{ errors }] = await loading;
    for (const [error, times] of errors) report(`${times} × ${error}`);
    const interrupted = entries.filter((entry) => entry.interrupted);
    const applied = interrupted.filter((entry) => entry.applied);
    const checked = await runFinalCheck(run, databaseUrl, readers);
    console.log(`
${entries.length} writes to ${checked.shipments} shipments. ${interrupted.length} were interrupted, of which ${applied.length} had their effect.
${checked.abandoned} were abandoned, of which ${checked.applied} had their effect.
Every write was repeated with its key: ${checked.changed} had a different response or changed something.
Total: ${checked.lost} lost, ${checked.duplicated} duplicated.`);
    for (const { name, events, lost, duplicated } of checked.events) {
      console.log(`${events} events through ${name}: ${lost} lost or in another order, ${duplicated} received twice.`);
    }
    const isSafe =
      checked.lost + checked.duplicated + checked.changed === 0 && checked.events.every(({ lost }) => lost === 0);
    console.log(
      isSafe ? 'No write or event was lost, and no write was duplicated.' : 'Data was lost, duplicated or changed.',
    );
    return findings;
  } catch (error) {
    signal.throwIfAborted(); // the reason, rather than what followed from it
    throw error;
  }
}

/** Runs the load before, during and after a fault. Resolves when the service has recovered, or has failed to. */
async function observe(
  fault: Fault,
  environment: Environment,
  { requests, isRunningSince }: Recorder,
  random: Random,
  scale: number,
): Promise<Observation> {
  const { signal } = environment;
  const duration = random.between(...fault.duration) * scale;
  const wait = (ms: number): Promise<void> => setTimeout(Math.max(0, ms), undefined, { signal });
  requests.length = 0;
  const isWriting = (): boolean => requests.some(({ outcome, text }) => outcome === 'ok' && text.startsWith('POST '));
  if (!(await waitUntil(isWriting, recoveryTimeout))) throw new Error('The load does not write.');
  await wait(random.between(...before) * scale);

  const start = performance.now();
  const endCause = await fault.begin(environment);
  // The cause also ends when the run is stopped.
  await wait(start + duration - performance.now()).catch(() => {});
  const began = performance.now();
  await endCause();
  signal.throwIfAborted();
  const ended = performance.now();
  const isFailure = ({ outcome }: RecordedRequest): boolean => outcome !== 'ok';
  const recovered = (): number => Math.max(ended, requests.findLast(isFailure)?.end ?? 0);
  const isQuiet = (): boolean => performance.now() - recovered() > quiet * scale && !isRunningSince(ended);
  const isRecovered = await waitUntil(isQuiet, recoveryTimeout);
  signal.throwIfAborted();
  return {
    requests: requests.filter(({ end }) => end > start),
    recovery: isRecovered ? recovered() - ended : Number.POSITIVE_INFINITY,
    duration: began - start,
  };
}

function requestCells({ requests, recovery, duration }: Observation): (string | number)[] {
  const slowest = Math.max(0, ...requests.map(({ start, end }) => end - start));
  return [
    Math.round(duration),
    requests.length,
    count(requests, 'unavailable'),
    count(requests, 'closed'),
    count(requests, 'wrong'),
    Math.round(slowest),
    Math.round(recovery),
  ];
}
