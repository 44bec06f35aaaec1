import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@waybill/client';
import { type FinalCheck, runFinalCheck } from '../chaos/final-check.ts';
import { openJournal } from '../chaos/journal.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { simulate } from '../simulate/simulate.ts';
import type { Fault } from './faults.ts';
import { read } from './readers.ts';
import { createRecorder, type RecordedRequest, type Recorder } from './recorder.ts';
import { startSetting } from './setting.ts';
import { type Observation, violationsOf } from './violations.ts';

/** Milliseconds of load before the fault. */
const before = 1500;
/** Milliseconds for which a fault lasts: longer than keys are cached (`cacheTtl`) and queries wait. */
const usualDuration = 7000;
/** Shipments that the load has at a time, and simulated seconds per second. */
const [usualShipments, speed]: [number, number] = [32, 10_000];
/** The share of interrupted writes that are abandoned, as if their client had crashed too. */
const abandonedShare = 0.03;
/** The service has recovered when no request fails for this time, in milliseconds. */
const quiet = 2000;
/** Longer than every timeout of the service, in milliseconds: of a request, and of the recovery. */
const [requestTimeout, recoveryTimeout] = [20_000, 40_000] as const;

/** The result of a fault. */
export interface FaultResult extends Observation, Pick<FinalCheck, 'lost' | 'duplicated'> {
  /** What is wrong; empty when the service has survived. */
  violations: string[];
}

/**
 * Starts a service, causes the fault under a load of reads and writes, ends its cause, and checks every write.
 * @param duration milliseconds between the beginning and the end of the cause
 * @param shipments size of the load
 */
export async function runFault(
  fault: Fault,
  stop: AbortSignal,
  { duration = usualDuration, shipments = usualShipments } = {},
): Promise<FaultResult> {
  await using stack = new AsyncDisposableStack();
  const setting = stack.use(await startSetting(fault.needs ?? [], stop));
  const { environment } = setting;
  const { shipper, carrier, signal } = environment;
  const folder = await mkdtemp(join(tmpdir(), 'waybill-faults-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));

  const completed = new AbortController();
  stack.defer(() => completed.abort());
  const loadSignal = AbortSignal.any([signal, completed.signal]);
  const recorder = createRecorder(loadSignal);
  const journal = openJournal(join(folder, 'journal.jsonl'), () => Math.random() < abandonedShare, loadSignal);
  const options = { timeout: requestTimeout, attemptTimeout: requestTimeout, fetch: recorder.fetch };
  const load = Promise.all([
    read({ ...shipper, ...options }, recorder, loadSignal),
    simulate({
      shipper: { ...shipper, ...options },
      carrier: { ...carrier, ...options },
      shipments,
      speed,
      endless: true,
      observer: journal,
      signal: loadSignal,
    }),
  ]);
  const violations: string[] = [];
  const report = (finding: string): void => void violations.push(finding);
  const observation = await causeFault(fault, duration, setting, recorder, signal);
  completed.abort();
  const [, { errors }] = await load;
  for (const [error, times] of errors) report(`${times} × ${error}`);
  violations.push(...violationsOf(fault, observation));
  // What has not recovered by itself is started again, so that its writes can be checked.
  if (observation.recovery === undefined) {
    await environment.kill(['server']);
    await environment.restart(['server']);
  }
  const run = { client: createClient(shipper), journal, signal, report };
  const { lost, duplicated } = await runFinalCheck(run, environment.databaseUrl, []);
  return { ...observation, lost, duplicated, violations };
}

async function causeFault(
  fault: Fault,
  duration: number,
  setting: Parameters<Fault['begin']>[0],
  recorder: Recorder,
  signal: AbortSignal,
) {
  const { requests } = recorder;
  const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal });
  const hasSucceeded = (text: string): boolean =>
    requests.some((request) => request.outcome === 'ok' && request.text.startsWith(text));
  const isWarm = (): boolean => ['PUT /v1/uploads', 'GET /v1/files', 'POST /v1/shipments'].every(hasSucceeded);
  if (!(await waitUntil(isWarm, recoveryTimeout))) throw new Error('The load does not reach a delivery.');
  await wait(before);

  const start = performance.now();
  const endCause = await fault.begin(setting);
  await wait(Math.max(0, start + duration - performance.now())).catch(() => {}); // the cause also ends when the run is stopped
  const ended = performance.now();
  const cleared = Promise.resolve(endCause());
  cleared.catch(() => {}); // it is awaited below
  const isFailure = ({ outcome }: RecordedRequest): boolean => outcome !== 'ok';
  const lastFailure = (): number => requests.findLast(isFailure)?.end ?? 0;
  const isQuiet = (): boolean =>
    performance.now() - Math.max(ended, lastFailure()) > quiet && !recorder.isRunningSince(ended);
  const isRecovered = await waitUntil(isQuiet, recoveryTimeout);
  await cleared;
  signal.throwIfAborted();
  const recovered = Math.max(ended, lastFailure());
  const during = requests.filter((request) => request.end > start && request.start < recovered);
  return { requests: during, recovery: isRecovered ? recovered - ended : undefined };
}
