import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../chaos/environment.ts';
import { startServer } from '../cluster/server.ts';
import { freePort } from '../processes/free-port.ts';
import { compare, type Plan } from './compare.ts';
import { runLoad } from './load-generator.ts';
import { operations } from './operations.ts';
import type { Server } from './servers.ts';
import { markdownTable } from './table.ts';

/** Measures the service without telemetry, alternately with metrics, with traces of 1 % and of all requests. */
export async function measureTelemetry(
  environment: Environment,
  values: string[],
  connections: number,
  plan: Plan,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: await startReceiver(stack) };
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
  const variants: [string, NodeJS.ProcessEnv][] = [
    ['without', {}],
    ['metrics', { METRICS_PORT: String(await freePort()) }],
    ['traces of 1 %', { ...traces, ...ratio }],
    ['traces of all', traces],
  ];
  const servers = await Promise.all(variants.map(([name, env]) => startVariant(name, env, environment, stack)));
  for (const operation of ['getTracking', 'createShipment'] as const) {
    const template = operations[operation].template(environment, values);
    for (const { origin } of servers) await runLoad(origin, template, 8, 3, plan.signal); // until V8 has compiled the code
    const medians = await compare(servers, template, connections, plan);
    const base = medians[0]?.figures.node ?? Number.NaN;
    const rows = medians.map(({ name, figures: { rate, p99, node } }) => {
      return [name, rate.toFixed(), p99.toFixed(2), node.toFixed(1), `${((node / base - 1) * 100).toFixed(1)} %`];
    });
    const head = [`${operation} × ${connections}`, 'requests/s', 'p99 ms', 'CPU µs of Node', 'more'];
    console.log(`\n${markdownTable([head, ...rows])}`);
  }
}

async function startVariant(
  name: string,
  env: NodeJS.ProcessEnv,
  { databaseUrl, signal }: Environment,
  stack: AsyncDisposableStack,
): Promise<Server> {
  const port = String(await freePort());
  const settings = {
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    RATE_LIMIT: '999999999',
    DATABASE_URL: databaseUrl,
    PORT: port,
    SIGNING_KEYS: 'not-a-secret-not-a-secret-not-a-secret',
    STORAGE_URL: pathToFileURL(join(tmpdir(), `waybill-bench-${port}`)).href,
    ...env,
  };
  const server = stack.use(await startServer(settings, signal, () => {}));
  return { name, origin: `http://127.0.0.1:${port}`, pid: server.pid() };
}

/** Starts a receiver that discards traces. @returns its URL */
async function startReceiver(stack: AsyncDisposableStack): Promise<string> {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void receiver.close().closeAllConnections());
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}
