import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OpenTelemetryConfig, openTelemetryVariables } from './config/opentelemetry.ts';
import {
  baseUrlError,
  hostError,
  localUrl,
  originListError,
  proxyUrlError,
  redisUrlError,
  tilesUrlError,
  withoutTrailingSlash,
} from './config/urls.ts';
import {
  ConfigError,
  describeError,
  flag,
  integer,
  matching,
  optionalInteger,
  readVariables,
  type SettingError,
  splitList,
  text,
  type Variable,
} from './config/variable.ts';
import { proxyListError } from './connections/client-address.ts';
import { databaseUrlError } from './database/database.ts';
import { storageUrlError } from './storage/open.ts';

export { ConfigError, type SettingError };

/** The settings of the service, validated. A name such as `DRAIN_MS` states the unit. */
export interface Config extends OpenTelemetryConfig {
  HOST: string;
  PORT: number;
  /** Undefined for no metrics. */
  METRICS_PORT: number | undefined;
  BASE_URL: string;
  CDN_URL: string;
  CORS_ORIGINS: string[];
  DOCS_DIR: string;
  DATABASE_URL: string;
  DATABASE_POOL_SIZE: number;
  DATABASE_PREPARED: boolean;
  DATABASE_TIMEOUT_MS: number;
  SLOW_STATEMENT_MS: number;
  IDEMPOTENCY_WAIT_MS: number;
  DRAIN_MS: number;
  SHUTDOWN_TIMEOUT_MS: number;
  SIGNING_KEYS: string[];
  STORAGE_URL: string;
  STORAGE_TIMEOUT_MS: number;
  STORAGE_BYTES_PER_ACCOUNT: number;
  REDIS_URL: string;
  REDIS_TIMEOUT_MS: number;
  TRACKING_PREFIX: string;
  RATE_LIMIT: number;
  ACCESS_RATE_LIMIT: number;
  REQUEST_SECONDS: number;
  KEEP_ALIVE_SECONDS: number;
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS: number;
  MAX_EVENT_STREAMS: number;
  EVENT_STREAMS_PER_KEY: number;
  EVENT_STREAM_SECONDS: number;
  EVENT_LISTEN_URL: string;
  POSITION_DAYS: number;
  /** Undefined for ever. */
  SHIPMENT_DAYS: number | undefined;
  /** Empty for none. */
  EXPORT_DIR: string;
  /** Undefined for as long as their events. */
  WEBHOOK_DELIVERY_DAYS: number | undefined;
  TRUST_PROXY: string[];
  /** Empty for the map that the service draws. */
  MAP_TILES_URL: string;
  MAP_CREDIT: string;
  WEBHOOK_ALLOW_LOOPBACK: boolean;
  /** Undefined for none. */
  WEBHOOK_PROXY: string | undefined;
  OVERLOAD_DELAY_MS: number;
  LOG_LEVEL: string;
  CHECK_RESPONSES: boolean;
}

/** Every setting, in the order of `waybill check --help`. */
export const variables: Record<keyof Config, Variable> = {
  HOST: text('IP address or host name to listen on', {
    example: '0.0.0.0',
    default: '127.0.0.1',
    errorOf: hostError,
  }),
  PORT: integer('port to listen on', { default: 3000, minimum: 0, maximum: 65535 }),
  METRICS_PORT: optionalInteger('port on HOST that serves metrics at /metrics (default: no metrics)', {
    example: '9464',
    minimum: 0,
    maximum: 65535,
  }),
  BASE_URL: text('public URL of the API, with the major version (default: localhost, PORT and /v1)', {
    example: 'https://api.example.com/v1',
    errorOf: baseUrlError,
  }),
  CDN_URL: text('public base URL of the files, which are below it at /files (default: BASE_URL)', {
    example: 'https://cdn.example.com',
    errorOf: baseUrlError,
  }),
  CORS_ORIGINS: text('origins of web pages that may call the API, comma-separated (default: none)', {
    example: 'https://app.example.com',
    default: '',
    errorOf: originListError,
  }),
  DOCS_DIR: text('folder of the docs site, served at /docs', {
    example: './docs',
    default: bundledDocs(),
  }),
  DATABASE_URL: text('URL of a PostgreSQL 15 to 18 database', {
    example: 'postgres://waybill:secret@127.0.0.1:5432/waybill',
    errorOf: databaseUrlError,
  }),
  DATABASE_POOL_SIZE: integer('maximum number of database connections', { default: 10, minimum: 1, maximum: 1000 }),
  DATABASE_PREPARED: flag('use prepared statements; disable behind a PgBouncer before 1.21', true),
  DATABASE_TIMEOUT_MS: integer(
    'milliseconds that a request waits for a connection, for each statement, and with 500 more altogether',
    {
      default: 4000,
      minimum: 100,
      maximum: 60_000,
    },
  ),
  SLOW_STATEMENT_MS: integer('milliseconds from which a statement is logged, without its parameters', {
    default: 1000,
    minimum: 1,
    maximum: 600_000,
  }),
  IDEMPOTENCY_WAIT_MS: integer(
    'milliseconds that a repeated request waits for the first one with its Idempotency-Key',
    { default: 5000, minimum: 100, maximum: 60_000 },
  ),
  DRAIN_MS: integer(
    'milliseconds that a stopping service accepts requests, until load balancers see /health/ready fail',
    { default: 2000, minimum: 0, maximum: 600_000 },
  ),
  SHUTDOWN_TIMEOUT_MS: integer('milliseconds after DRAIN_MS in which running requests can finish', {
    default: 10_000,
    minimum: 0,
    maximum: 600_000,
  }),
  SIGNING_KEYS: text(
    'secrets for signed URLs and stored webhook secrets, comma-separated: the first signs, all verify',
    {
      example: '"$(openssl rand -hex 32)"',
      errorOf: matching(/^[^,\s]{32,}(,[^,\s]{32,})*$/, 'secrets of at least 32 characters each, without spaces'),
    },
  ),
  STORAGE_URL: text('folder or S3 bucket in which files are stored', {
    example: 'file:///var/lib/waybill/files',
    default: 'file:.waybill/files',
    errorOf: storageUrlError,
  }),
  STORAGE_TIMEOUT_MS: integer(
    'milliseconds that the storage may take to respond, or to accept or send the next bytes',
    {
      default: 4000,
      minimum: 100,
      maximum: 60_000,
    },
  ),
  STORAGE_BYTES_PER_ACCOUNT: integer('maximum total size of the files of an account, in bytes', {
    default: 10 * 1024 ** 3,
    minimum: 10 * 1024 ** 2,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  REDIS_URL: text('Redis that shares rate limits between instances (default: each instance counts separately)', {
    example: 'redis://127.0.0.1:6379',
    default: '',
    errorOf: redisUrlError,
  }),
  REDIS_TIMEOUT_MS: integer('milliseconds that a Redis command may take before each instance counts separately', {
    default: 250,
    minimum: 10,
    maximum: 10_000,
  }),
  TRACKING_PREFIX: text('prefix of tracking numbers', {
    example: 'FRT',
    default: 'FRT',
    errorOf: matching(/^[A-Z]{2,8}$/, '2 to 8 capital letters'),
  }),
  RATE_LIMIT: integer('requests per minute for each key, and for each IP address without a valid key', {
    default: 6000,
    minimum: 1,
    maximum: 999_999_999,
  }),
  ACCESS_RATE_LIMIT: integer('requests per minute for each access token', {
    default: 600,
    minimum: 1,
    maximum: 999_999_999,
  }),
  REQUEST_SECONDS: integer('seconds in which a request must arrive, its headers in a quarter of that time', {
    default: 60,
    minimum: 1,
    maximum: 3600,
  }),
  KEEP_ALIVE_SECONDS: integer(
    'seconds for which a connection may be idle between two requests: more than the load balancer keeps it idle',
    { default: 72, minimum: 1, maximum: 86_400 },
  ),
  MAX_CONNECTIONS: integer('maximum number of client connections; further ones are closed', {
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    'maximum number of connections of an IP address that is not in TRUST_PROXY; further ones are closed',
    { default: 1_000, minimum: 1, maximum: 1_000_000 },
  ),
  MAX_EVENT_STREAMS: integer(
    'maximum number of event streams of API keys, with requests that wait for events, and again of access tokens, such as those of open tracking pages; further ones get 503; an account has at most three quarters',
    { default: 2000, minimum: 1, maximum: 1_000_000 },
  ),
  EVENT_STREAMS_PER_KEY: integer('the same for each API key or access token; further ones get 429', {
    default: 20,
    minimum: 1,
    maximum: 1_000_000,
  }),
  EVENT_STREAM_SECONDS: integer('seconds after which an event stream ends and its client reconnects', {
    default: 300,
    minimum: 1,
    maximum: 86_400,
  }),
  EVENT_LISTEN_URL: text(
    'URL of the same database without PgBouncer, for notifications of events (default: DATABASE_URL)',
    { example: 'postgres://waybill:secret@127.0.0.1:5432/waybill', errorOf: databaseUrlError },
  ),
  POSITION_DAYS: integer('days for which positions are retained', { default: 90, minimum: 1, maximum: 36_500 }),
  SHIPMENT_DAYS: optionalInteger(
    'days after their last change for which shipments that have ended are retained, with their timelines, proofs and files (default: for ever)',
    { example: '730', minimum: 32, maximum: 36_500 },
  ),
  EXPORT_DIR: text(
    'folder to which shipments and their files are written before SHIPMENT_DAYS removes them (default: none)',
    {
      example: '/var/lib/waybill/export',
      default: '',
      errorOf: absolutePathError,
    },
  ),
  WEBHOOK_DELIVERY_DAYS: optionalInteger(
    'days after their event for which finished webhook deliveries are retained (default: 31, and at most 10,000 of an endpoint)',
    { example: '7', minimum: 1, maximum: 31 },
  ),
  TRUST_PROXY: text('IP addresses and networks of proxies whose X-Forwarded-For is trusted (default: none)', {
    example: '10.0.0.0/8,2001:db8::1',
    default: '',
    errorOf: proxyListError,
  }),
  MAP_TILES_URL: text(
    'URL of map tiles for tracking pages, with {z}, {x} and {y} (default: a map that the service draws)',
    { example: 'https://tiles.example.com/{z}/{x}/{y}.png', default: '', errorOf: tilesUrlError },
  ),
  MAP_CREDIT: text('whose map the tiles are; the map shows it (default: nothing)', {
    example: '© OpenStreetMap contributors',
    default: '',
    errorOf: matching(/^[^\p{Cc}]{0,100}$/u, 'at most 100 printable characters'),
  }),
  WEBHOOK_ALLOW_LOOPBACK: flag(
    'send webhooks to http and https URLs of this machine; for tests and development',
    false,
  ),
  WEBHOOK_PROXY: text(
    'URL of an HTTP proxy for webhooks, which must refuse private networks: it resolves the names (default: no proxy)',
    { example: 'http://user:secret@egress.example.com:3128', errorOf: proxyUrlError },
  ),
  OVERLOAD_DELAY_MS: integer('milliseconds of event loop delay above which requests get 503', {
    default: 2000,
    minimum: 100,
    maximum: 600_000,
  }),
  LOG_LEVEL: text('lowest level of messages that are logged', {
    example: 'info',
    default: 'info',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  }),
  CHECK_RESPONSES: flag('validate every response against the contract; for tests and development', false),
  ...openTelemetryVariables,
};

/**
 * Reads the settings. This is the only place that reads the environment of the process.
 * @param env undefined for the environment of the process
 * @param required the variables that must be set
 * @throws {ConfigError} naming every invalid setting
 */
export function readConfig(env: Record<string, string | undefined> | undefined, required: (keyof Config)[]): Config {
  const values = readVariables(variables, env ?? process.env, required) as unknown as Config;
  if (values.METRICS_PORT === values.PORT && values.PORT !== 0) {
    throw settingError('METRICS_PORT', 'must differ from PORT');
  }
  const BASE_URL = withoutTrailingSlash(values.BASE_URL ?? `${localUrl(values.HOST, values.PORT)}/v1`);
  return {
    ...values,
    BASE_URL,
    CDN_URL: withoutTrailingSlash(values.CDN_URL ?? BASE_URL),
    EVENT_LISTEN_URL: values.EVENT_LISTEN_URL ?? values.DATABASE_URL,
    CORS_ORIGINS: values.CORS_ORIGINS ? splitList(String(values.CORS_ORIGINS)) : [],
    TRUST_PROXY: values.TRUST_PROXY ? splitList(String(values.TRUST_PROXY)) : [],
    SIGNING_KEYS: values.SIGNING_KEYS ? String(values.SIGNING_KEYS).split(',') : [],
  };
}

/**
 * Reads the settings as far as they are valid.
 * @returns the invalid settings, whose values are the defaults
 */
export function readValidConfig(
  env: Record<string, string | undefined> = process.env,
  required: (keyof Config)[],
): { config: Config; errors: SettingError[] } {
  try {
    return { config: readConfig(env, required), errors: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const invalid = new Set(error.errors.map(({ name }) => name));
    if (invalid.has('PORT')) invalid.add('METRICS_PORT'); // it must differ from PORT, which has the default here
    const valid = Object.fromEntries(Object.entries(env).filter(([name]) => !invalid.has(name)));
    return { config: readConfig(valid, []), errors: error.errors };
  }
}

/** Makes the error of settings. @param errors clauses such as `is not a folder` */
export const settingErrors = (errors: { name: keyof Config; error: string }[]): ConfigError =>
  new ConfigError(errors.map(({ name, error }) => describeError(variables, name, error)));

/** Makes the error of one setting. @param error a clause such as `is not a folder` */
export const settingError = (name: keyof Config, error: string): ConfigError => settingErrors([{ name, error }]);

/** The docs site beside the built bundle; empty when the service runs from its sources. */
function bundledDocs(): string {
  const folder = fileURLToPath(new URL('docs', import.meta.url));
  return existsSync(folder) ? folder : '';
}

function absolutePathError(path: string): string | undefined {
  return isAbsolute(path) ? undefined : 'must be an absolute path';
}
