import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startEnvironment } from '../chaos/environment.ts';
import { command, numberFrom, UsageError } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { attacks, type Target } from './attack.ts';
import { type Counts, countsText, failuresIn, percentiles, type Result, sendSteadily } from './load.ts';
import { get, newDispatchedShipment } from './requests.ts';

const usage = `Usage: npx -y pnpm@12 attacks [--seconds <n>] [--only <name>]

Starts a server and a PostgreSQL on this machine, runs one attack at a time, and measures the reads of another account
meanwhile. Exits with code 1 when one of these reads fails.

  --seconds <n>   length of each attack (10)
  --only <name>   run one attack: ${Object.keys(attacks).join('; ')}
  --help          show this text
`;

const signal = stopSignal();
const options = { seconds: { type: 'string', default: '10' }, only: { type: 'string' } } as const;
await command({ usage, options, signal }, async (values) => {
  const seconds = numberFrom('seconds', values.seconds, 1, 600);
  const names = Object.keys(attacks).filter((name) => values.only === undefined || name === values.only);
  if (names.length === 0) throw new UsageError(`Unknown attack '${values.only}'`);
  await using environment = await startEnvironment({ LOG_LEVEL: 'silent', RATE_LIMIT: '6000' }, signal);
  const { shipper } = environment;
  const attacker = await environment.createAccount();
  const target: Target = { ...attacker, trackingNumber: await newDispatchedShipment(attacker) };
  const request = get(shipper, `/tracking/${await newDispatchedShipment(environment)}`);
  const read = (): Promise<Result> => sendSteadily(shipper.baseUrl, request, seconds);

  await read(); // warm-up
  console.log(
    '| attack | reader p50 ms | p99 ms | longest ms | reader failures | attacker |\n|---|--:|--:|--:|---|---|',
  );
  let hasFailed = false;
  const print = (name: string, { latencies, statuses }: Result, attackerStatuses: Counts): void => {
    const { p50, p99, longest } = percentiles(latencies);
    const failures = failuresIn(statuses);
    if (failures !== '') hasFailed = true;
    const attacker = countsText(attackerStatuses) || 'none';
    console.log(`| ${name} | ${p50} | ${p99} | ${longest} | ${failures || 'none'} | ${attacker} |`);
  };
  print('none', await read(), {});
  for (const name of names) {
    environment.signal.throwIfAborted();
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { name, target } });
    await once(worker, 'online');
    const reading = await read();
    const ended = once(worker, 'message');
    worker.postMessage('stop');
    const [statuses] = await ended;
    await worker.terminate();
    print(name, reading, statuses);
    await setTimeout(1000); // until the queues of this attack are empty
  }
  return hasFailed ? 1 : 0;
});
