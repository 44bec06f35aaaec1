import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { buildApp } from '@waybill/server/app';
import { type Config, readConfig, variables } from '@waybill/server/config';
import { openDatabase } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/schema/migrate';
import { signedLinks } from '@waybill/server/operations/signed-urls';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { stepsTo } from '../../fixtures/contract/lifecycle.ts';
import { ownDatabase } from '../../fixtures/database/own-database.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { tokenOf } from '../../fixtures/requests/valid-requests.ts';
import { newShipment, proofFor, record } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

const oldKey = 'the-old-key-'.repeat(3);
const newKey = 'the-new-key-'.repeat(3);

test('the whole workflow passes with every setting changed, and each setting without a test of its own has its effect', async () => {
  await using database = await ownDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-settings-'));
  await writeFile(join(folder, 'index.html'), 'The docs.');
  const port = await freePort();
  const origin = `http://127.0.0.2:${port}`;
  const settings: Record<keyof Config, string> = {
    HOST: '127.0.0.2',
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
    BASE_URL: `${origin}/freight/v1`,
    CDN_URL: 'https://cdn.example.com/proofs',
    CORS_ORIGINS: 'https://app.example.com', // test/api/cors has pages of origins
    DOCS_DIR: folder,
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '3',
    DATABASE_PREPARED: 'false', // test/operate/cluster has PgBouncer
    DATABASE_TIMEOUT_MS: '30000', // test/operate/outages reaches it
    SLOW_STATEMENT_MS: '2',
    IDEMPOTENCY_WAIT_MS: '20000', // test/api/idempotency reaches it
    DRAIN_MS: '100', // test/operate/shutdown.test.ts reaches it, and the next
    SHUTDOWN_TIMEOUT_MS: '20000',
    SIGNING_KEYS: `${newKey},${oldKey}`,
    STORAGE_URL: `file:${folder}/files`,
    STORAGE_TIMEOUT_MS: '3000', // test/api/files/s3.test.ts reaches it
    STORAGE_BYTES_PER_ACCOUNT: '10485760', // test/api/files/quota.test.ts reaches it
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`, // test/api/rate-limits has a Redis that is there
    REDIS_TIMEOUT_MS: '500',
    REQUEST_SECONDS: '600', // test/api/connections reaches it
    KEEP_ALIVE_SECONDS: '620',
    MAX_CONNECTIONS: '500', // test/api/connections reaches it
    MAX_CONNECTIONS_PER_ADDRESS: '400', // so does it this
    TRACKING_PREFIX: 'WBL',
    RATE_LIMIT: '700', // test/api/rate-limits and test/api/access reach these
    ACCESS_RATE_LIMIT: '70',
    MAX_EVENT_STREAMS: '3', // test/events reaches these
    EVENT_STREAMS_PER_KEY: '2',
    EVENT_STREAM_SECONDS: '5',
    EVENT_LISTEN_URL: `${database.url}?application_name=waybill-listen`,
    POSITION_DAYS: '5', // test/api/positions reaches it
    SHIPMENT_DAYS: '32', // test/operate/jobs removes shipments and deliveries
    EXPORT_DIR: '/nowhere',
    WEBHOOK_DELIVERY_DAYS: '7',
    TRUST_PROXY: '127.0.0.0/8', // test/api/rate-limits sends through proxies
    MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png', // test/pages has the map
    MAP_CREDIT: 'The mapmakers',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_PROXY: 'http://127.0.0.1:1', // test/webhooks has a proxy
    OVERLOAD_DELAY_MS: '60000', // test/api/time-limits.test.ts reaches it
    LOG_LEVEL: 'warn', // test/api/http reads logs
    CHECK_RESPONSES: 'true',
    // test/operate/telemetry has a receiver
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
    OTEL_BSP_MAX_QUEUE_SIZE: '4096',
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_SDK_DISABLED: 'true',
  };
  const unchanged = Object.entries(variables).filter(([name, { default: usual }]) => {
    return settings[name as keyof Config] === String(usual ?? '');
  });
  expect(unchanged, 'Give each setting another value than its default here.').toEqual([]);
  const read = new Set<unknown>();
  const config = new Proxy(readConfig(settings, []), {
    get: (target, name) => read.add(name) && Reflect.get(target, name),
  });
  const app = await buildApp(config, { write() {} });
  await app.listen({ host: config.HOST, port: config.PORT });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => app.close());
  const unread = Object.keys(settings).filter((name) => !name.startsWith('OTEL_') && !read.has(name));
  expect(unread, 'Pass it to its module in packages/server/src/app.ts.').toEqual([]);

  await using db = openDatabase({ url: database.url, poolSize: 2, prepared: false });
  await migrate(db);
  const { ok, headers } = await fetch(`${origin}/health/ready`);
  expect([ok, headers.get('keep-alive')]).toEqual([true, 'timeout=620']);
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();

  const account = await newAccount({ db, baseUrl: settings.BASE_URL });
  const { client } = account;
  const shipment = await newShipment(account);
  const { tracking_number } = shipment;
  expect(tracking_number).toMatch(/^WBL-\d{4}-\d{6}$/);
  const served = await (await fetch(`${origin}/openapi.json`)).json();
  expect(served).toHaveProperty('servers.0.url', settings.BASE_URL);
  expect(JSON.stringify(served)).toContain(`"url":"${settings.CDN_URL}"`);
  expect((await fetch(`${origin}/v1/shipments`)).status).toBe(404);

  const { url = '' } = await client.createAccess({ shipment_id: shipment.id, kind: 'track' });
  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toContain('https://tiles.example.com;');
  expect(await page.text()).toContain(settings.MAP_CREDIT);

  for (const step of stepsTo('in_transit')) await record(account, shipment, step);
  const request = await proofFor(account, tracking_number);
  const { signature_url = '' } = await client.submitProofOfDelivery({ tracking_number, ...request });
  expect(signature_url).toMatch(/^https:\/\/cdn\.example\.com\/proofs\/files\/[\w-]+$/);
  const token = tokenOf(signature_url);
  const now = new Date();
  const links = (signing: string) => signedLinks([signing], '', '');
  const { accountId, uploadId } = links(newKey).open('file', token, now);
  const byOldKey = tokenOf(links(oldKey).sign('file', accountId, uploadId, now).url);
  for (const each of [token, byOldKey]) expect((await fetch(`${settings.BASE_URL}/files/${each}`)).status).toBe(200);
  expect(JSON.stringify(await readdir(join(folder, 'files'), { recursive: true }))).toContain(uploadId);

  await concurrently(12, () => newShipment(account));
  // One more may look after the others.
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and query not like '%pg_stat%'`.execute(db);
  expect(rows.length).toBeLessThanOrEqual(Number(settings.DATABASE_POOL_SIZE) + 2);
  // The database can hold what the contract does not allow, and the response check refuses to send it.
  await sql`update shipments set origin = jsonb_set(origin, '{city}', to_jsonb(repeat('x', 101)))`.execute(db);
  await expect(client.listShipments({}, { maxRetries: 0 })).rejects.toMatchObject({ status: 500 });
});
