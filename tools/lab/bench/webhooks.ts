import { createClient } from '@waybill/client';
import { startEnvironment } from '../chaos/environment.ts';
import { startReceiver } from '../network/receiver.ts';
import { cpuTime } from './compare.ts';
import { eventsOfAccount, fillDatabase } from './data-set.ts';

/** Sends the stored events of an account to a receiver that responds at once, and measures each round. */
export async function measureWebhooks(rounds: number, signal: AbortSignal): Promise<void> {
  await using environment = await startEnvironment(
    { LOG_LEVEL: 'info', NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'true' },
    signal,
  );
  const { databaseUrl, postgres, servers, shipper } = environment;
  await fillDatabase(databaseUrl, 4 * eventsOfAccount, signal);
  const client = createClient({ baseUrl: shipper.baseUrl, apiKey: shipper.apiKey });
  for (let round = 0; round < rounds; round++) {
    let received = 0;
    const sockets = new Set<unknown>();
    const done = Promise.withResolvers<void>();
    await using receiver = await startReceiver((request, response) => {
      sockets.add(request.socket);
      request.resume().once('end', () => {
        response.writeHead(204).end();
        if (++received === eventsOfAccount) done.resolve();
      });
    });
    const { id: webhook_endpoint_id } = await client.createWebhookEndpoint({ url: receiver.url });
    const times = () => Promise.all([cpuTime(servers[0]?.pid() ?? 0), cpuTime(postgres?.pid() ?? 0)]);
    const [start, before] = [performance.now(), await times()];
    await client.replayWebhookEvents({ webhook_endpoint_id, from: new Date(Date.now() - 3_600_000), to: new Date() });
    await done.promise;
    const [seconds, after] = [(performance.now() - start) / 1000, await times()];
    const perEvent = (index: 0 | 1) => Math.round((after[index] - before[index]) / received);
    console.log(
      `${Math.round(received / seconds)} events/s, ${perEvent(0)} µs of Node, ${perEvent(1)} µs of PostgreSQL, ${sockets.size} connections`,
    );
    await client.deleteWebhookEndpoint({ webhook_endpoint_id });
  }
}
