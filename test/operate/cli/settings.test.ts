import { ConfigError, readConfig, variables } from '@waybill/server/config';
import { expect } from 'vitest';
import { test } from '../../fixtures/test.ts';

const key = 'k'.repeat(32);
const required = { DATABASE_URL: 'postgres://127.0.0.1/waybill', SIGNING_KEYS: key };
const read = (settings: Record<string, string>) =>
  readConfig({ ...required, ...settings }, ['DATABASE_URL', 'SIGNING_KEYS']);

const badUrls = [
  ...['http://:99999x/v1', 'http://', 'ftp://host/v1', 'host/v1', 'http://host/v1?', 'http://host/v1#top'],
  ...['http://:hush@host/v1', 'http://host//v1', 'http://host/:version', 'http://host/v*'],
];

/** A setting and values that are refused. */
const invalid: [name: keyof typeof variables, ...values: string[]][] = [
  ['HOST', 'a host', '127.0.0.1:80', 'http://127.0.0.1', '[::1]', '/tmp/socket'],
  ['PORT', 'http', '-1', '65536', '80.5'],
  ['METRICS_PORT', 'http', '65536', '3000'], // the default of PORT
  ['BASE_URL', ...badUrls],
  ['CDN_URL', ...badUrls],
  ['CORS_ORIGINS', 'app.example.com', 'https://app.example.com/page', 'https://App.example.com', 'https://x.test:443'],
  ['CORS_ORIGINS', 'https://*.example.com', '*', 'null', 'capacitor://localhost/app', 'file://host'],
  ['DATABASE_URL', 'mysql://host/waybill', 'host/waybill', 'postgres://host:99999x/waybill'],
  ['DATABASE_URL', 'postgres://user@one:5432,two:5432/waybill', 'postgres://@/waybill?host=/socket&query_timeout=0'],
  ['DATABASE_URL', 'postgres://u:hush@host/waybill?options=-c%20statement_timeout%3D0', 'postgres://u:hu#sh@host/w'],
  ['DATABASE_URL', 'postgres://host/waybill?query_timeout=0', 'postgres://host/waybill?sslmode=requre'],
  ['DATABASE_URL', 'postgres://host/waybill?binary=true', 'postgres://host/waybill?sslrootcert=/nowhere/ca.pem'],
  ['EVENT_LISTEN_URL', 'mysql://host/waybill', 'postgres://user:hush@host:99999x/waybill'],
  ['DATABASE_POOL_SIZE', '0', '1001', 'many'],
  ['DATABASE_PREPARED', 'yes'],
  ['KEEP_ALIVE_SECONDS', '0', '86401'],
  ['SLOW_STATEMENT_MS', '0', '600001', 'off'],
  ['SIGNING_KEYS', 'hush', `${key},`, `${key} ${key}`],
  ['STORAGE_URL', '/var/lib/waybill', 'file:', 'file://host/files', 'file:///%zz', 's3:bucket', 's3://Bucket'],
  ['STORAGE_URL', 's3://key:hush@bucket', 's3://bucket/a//b', 's3://bucket?secret=hush', 's3://bucket?region='],
  ['STORAGE_URL', 's3://bucket?endpoint=host:9000', 's3://bucket?endpoint=http://key:hush@host'],
  ['STORAGE_BYTES_PER_ACCOUNT', '10485759', '10 GiB'],
  ['REDIS_URL', 'redis://', 'http://host', 'redis://host/main', 'redis://:hush@host?commandTimeout=0'],
  ['WEBHOOK_PROXY', 'proxy:3128', 'socks5://proxy:1080', 'http://user:hush@proxy/path', 'http://proxy:3128?x=1'],
  ['MAP_TILES_URL', 'ftp://tiles/{z}/{x}/{y}.png', 'https://u:hush@tiles/{z}/{x}/{y}.png', 'https://tiles/{z}/{x}.png'],
  ['MAP_TILES_URL', 'https://tiles/{z}/{x}/{y}/{y}.png', 'https://{x}.tiles.example.com/{z}/{y}.png'],
  ['MAP_CREDIT', 'x'.repeat(101)],
  ['TRACKING_PREFIX', 'F', 'frt', 'TOOLONGER'],
  ['TRUST_PROXY', 'true', '1', 'loopback', '10.0.0.256', '10.0.0.1 10.0.0.2', 'fe80::1%eth0'],
  ['TRUST_PROXY', '10.0.0.0/33', '10.0.0.0/255.0.0.0', '2001:db8::/129', '0.0.0.0/0'],
  ['RATE_LIMIT', '0', '-5', 'x'],
  ['POSITION_DAYS', '0', '36501', '1.5'],
  ['SHIPMENT_DAYS', '0', '31', '36501', 'never'], // events are retained for 30 days
  ['EXPORT_DIR', 'export', './export'],
  ['WEBHOOK_DELIVERY_DAYS', '0', '32'],
  ['LOG_LEVEL', 'loud'],
  ['CHECK_RESPONSES', 'maybe'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'receiver', 'grpc://receiver:4317'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'receiver'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', '-0.1', 'half'],
  ['OTEL_BSP_MAX_QUEUE_SIZE', '0', '511'],
  ['OTEL_BSP_SCHEDULE_DELAY', '0'],
  ['OTEL_SDK_DISABLED', 'yes'],
];

test('every setting with a check has invalid values here', () => {
  const names = new Set(invalid.map(([name]) => name));
  const checked = Object.entries(variables).flatMap(([name, { errorOf }]) => (errorOf ? name : []));
  expect(checked.filter((name) => !names.has(name as keyof typeof variables))).toEqual([]);
});

/** The one line of the error message, after the indentation. */
function lineOf(name: string, value: string): string {
  try {
    read({ [name]: value });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [, line = '', ...more] = (error as Error).message.split('\n  ');
    expect(more).toEqual([]);
    return line;
  }
  return expect.unreachable(`${name}=${value} is accepted`);
}

test.for(invalid)(
  '%s=%s is refused with one line that names the setting, the error and an example',
  ([name, ...values]) => {
    for (const value of values) {
      const line = lineOf(name, value);
      // Of several values, the message names the invalid one.
      const subject = /CORS|TRUST/.test(name) ? `${name} "${value}" ` : `${name} `;
      expect(line.slice(0, subject.length)).toBe(subject);
      const isText = /^(is|must|has|trusts) .+ For example: (\w+)=\S+/.exec(line.slice(subject.length));
      expect([line, isText?.[2]]).toEqual([line, name]);
      expect(line).not.toContain('hush');
    }
  },
);

test('a slash in the password of a database is refused with how to write it', () => {
  expect(lineOf('DATABASE_URL', 'postgres://user:a/b@host/waybill')).toContain('in a password, write / as %2F');
});

test.for<[name: keyof typeof variables, value: string, read?: string]>([
  ['HOST', 'api.example.com'],
  ['DATABASE_URL', 'postgresql://user:p%40ss@host:5432/waybill?sslmode=require&application_name=waybill'],
  ['DATABASE_URL', 'postgres://user:p,q@host/waybill'],
  ['DATABASE_URL', 'postgres:///waybill?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgres://waybill:secret@/waybill?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgres://waybill@%2Fvar%2Frun%2Fpostgresql/waybill'],
  ['DATABASE_URL', 'postgres://user@host/waybill?sslmode=require&uselibpqcompat=true'],
  ['DATABASE_PREPARED', 'False', 'false'],
  ['LOG_LEVEL', 'INFO', 'info'],
  ['OTEL_SDK_DISABLED', 'TRUE', 'true'],
  ['OTEL_TRACES_SAMPLER', 'ALWAYS_ON', 'always_on'],
  ['REDIS_URL', 'rediss://user:secret@host:6380/3'],
  ...['ionic://localhost', 'http://localhost:8100', 'https://[::1]:8443', 'safari-web-extension://2C1B0A2E'].map(
    (origin): [keyof typeof variables, string, string] => ['CORS_ORIGINS', origin, origin],
  ),
  ['STORAGE_URL', 's3://my.bucket/waybill/files?endpoint=https://s3.example.com:9000&region=eu-central-1'],
  ['BASE_URL', 'https://api.example.com', 'https://api.example.com'],
  ['BASE_URL', 'https://api.example.com/freight/v1/', 'https://api.example.com/freight/v1'],
])('%s=%s is accepted', ([name, value, result = value]) => {
  const config = read({ [name]: value });
  expect(String(config[name])).toBe(result);
  if (name === 'BASE_URL') expect(config.CDN_URL).toBe(result);
});
