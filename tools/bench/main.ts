import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { startEnvironment } from '../chaos/environment.ts';
import { command, numberFrom } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { measure } from './measure.ts';
import { get, newDispatchedShipment, post, shipment } from './requests.ts';
import { measureRetryBurst } from './retry-burst.ts';

const usage = `Usage: npx -y pnpm@12 bench [--seconds <n>] [--connections <n>]

Starts a server and a PostgreSQL on this machine, and measures requests per second, latency and CPU time per request.

  --seconds <n>       for each measurement (10)
  --connections <n>   concurrent connections (32)
  --help              show this text
`;

/** Targets: positions per second in batches of this size, and the p99 of other clients in a retry burst in ms. */
const [targetRate, size, targetLatency] = [5_000, 20, 100];

const signal = stopSignal();
const options = { seconds: { type: 'string', default: '10' }, connections: { type: 'string', default: '32' } } as const;
await command({ usage, options, signal }, async (values) => {
  const seconds = numberFrom('seconds', values.seconds, 1, 3600);
  const connections = numberFrom('connections', values.connections, 1, 1000);
  await using environment = await startEnvironment({ LOG_LEVEL: 'warn' }, signal);
  const { shipper, carrier } = environment;
  const numbers = await Promise.all(Array.from({ length: connections }, () => newDispatchedShipment(environment)));
  console.log(`${availableParallelism()} cores, ${connections} connections, ${seconds} s each\n`);

  /** Positions one second apart, for one shipment per connection. Each batch continues where the last one ended. */
  const ends = numbers.map(() => Date.now() - 60 * 86_400_000);
  const batch = (connection: number): { positions: object[] } => {
    const from = ends[connection] ?? 0;
    ends[connection] = from + size * 1000;
    const positions = Array.from({ length: size }, (_, index) => ({
      lat: 47 + index / 1000,
      lng: -122 + index / 1000,
      updated_at: new Date(from + index * 1000).toISOString(),
    }));
    return { positions };
  };
  const positions = (newKey: () => string | undefined) => (connection: number) =>
    post(carrier, `/tracking/${numbers[connection]}/positions`, batch(connection), newKey());
  const load = { connections, seconds };
  const batches = { ...load, each: { unit: 'positions', size } };
  const plain = await measure(
    environment,
    `recordPositions, batches of ${size}`,
    batches,
    positions(() => undefined),
  );
  const keyed = await measure(environment, 'recordPositions with Idempotency-Key', batches, positions(randomUUID));
  await measure(environment, 'getTracking', load, (connection) => get(shipper, `/tracking/${numbers[connection]}`));
  await measure(environment, 'createShipment with Idempotency-Key', load, () =>
    post(shipper, '/shipments', shipment, randomUUID()),
  );
  const burstPassed = await measureRetryBurst(environment, numbers, targetLatency);

  const ratePassed = Math.min(plain, keyed) * size >= targetRate;
  console.log(
    `\n${targetRate} positions/s: ${ratePassed ? 'passed' : 'failed'}. Retry burst: ${burstPassed ? 'passed' : 'failed'}.`,
  );
  return ratePassed && burstPassed ? 0 : 1;
});
