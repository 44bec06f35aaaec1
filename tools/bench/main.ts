import { availableParallelism } from 'node:os';
import { createClient, type Schemas } from '@waybill/client';
import { startEnvironment } from '../chaos/environment.ts';
import { command, numberFrom } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { measure } from './measure.ts';
import { createShipment, recordPositions, tracking } from './requests.ts';
import { measureRetryBurst } from './retry-burst.ts';

const usage = `Usage: npx -y pnpm@12 bench [--seconds <n>] [--connections <n>]

Starts a server and a PostgreSQL on this machine, and measures requests per second, latency and CPU time per request.

  --seconds <n>       for each measurement (10)
  --connections <n>   concurrent connections (32)
  --help              show this text
`;

/** Targets: positions per second in batches of this size, and the p99 of other clients in a retry burst in ms. */
const [targetRate, size, targetLatency] = [5_000, 20, 100];
const day = 86_400_000;

const shipment: Schemas['ShipmentRequest'] = {
  type: 'freight',
  origin: { address: '1420 Harbor Avenue SW', city: 'Seattle', state: 'WA', zip: '98126' },
  destination: { address: '77 Foundry Street', city: 'Spokane', state: 'WA', zip: '99201' },
  pickup_window: { start: '2026-03-03T16:00:00Z', end: '2026-03-03T20:00:00Z' },
};

const signal = stopSignal();
const options = { seconds: { type: 'string', default: '10' }, connections: { type: 'string', default: '32' } } as const;
await command({ usage, options, signal }, async (values) => {
  const seconds = numberFrom('seconds', values.seconds, 1, 3600);
  const connections = numberFrom('connections', values.connections, 1, 1000);
  await using environment = await startEnvironment({ LOG_LEVEL: 'warn' }, signal);
  const [shipper, carrier] = [createClient(environment.shipper), createClient(environment.carrier)];
  const create = async (): Promise<string> => (await shipper.createShipment({ body: shipment })).data.tracking_number;
  const numbers = await Promise.all(Array.from({ length: connections }, create));
  const dispatched = { status: 'dispatched', timestamp: new Date().toISOString() } as const;
  await Promise.all(
    numbers.map((tracking_number) => carrier.recordTrackingEvent({ path: { tracking_number }, body: dispatched })),
  );
  console.log(`${availableParallelism()} cores, ${connections} connections, ${seconds} s each\n`);

  // Every batch continues where the last batch of the shipment ended.
  const ends = numbers.map(() => Date.now() - 60 * day);
  const positions = (withKey: boolean) => (connection: number) => {
    const from = ends[connection] ?? 0;
    ends[connection] = from + size * 1000;
    return recordPositions(environment.carrier, numbers[connection] ?? '', from, size, withKey);
  };
  const load = { connections, seconds, each: { unit: 'positions', size } };
  const plain = await measure(environment, `recordPositions, batches of ${size}`, load, positions(false));
  const keyed = await measure(environment, `recordPositions with Idempotency-Key`, load, positions(true));
  const reads = (connection: number) => tracking(environment.shipper, numbers[connection] ?? '');
  await measure(environment, 'getTracking', { connections, seconds }, reads);
  await measure(environment, 'createShipment with Idempotency-Key', { connections, seconds }, () =>
    createShipment(environment.shipper, shipment),
  );
  const burstPassed = await measureRetryBurst(environment, await create(), numbers, targetLatency);

  const slowest = Math.min(...[plain, keyed].map(({ requests, seconds }) => (requests * size) / seconds));
  const ratePassed = slowest >= targetRate;
  console.log(
    `\n${targetRate} positions/s: ${ratePassed ? 'passed' : 'failed'}. Retry burst: ${burstPassed ? 'passed' : 'failed'}.`,
  );
  return ratePassed && burstPassed ? 0 : 1;
});
