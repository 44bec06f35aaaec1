import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv';
import { envSchema } from 'env-schema';
import { databaseUrlError } from './database/url.ts';
import { baseUrlError, withoutSlash } from './http/base-url.ts';
import { hostError, localUrl } from './http/host.ts';
import { proxyListError, splitProxies } from './http/trusted-proxies.ts';
import { redisUrlError } from './rate-limit/redis-url.ts';
import { folderUrlError } from './storage/folder-url.ts';

/** The settings of the service, checked. Times and sizes are in the unit that the name gives. */
export interface Config {
  HOST: string;
  PORT: number;
  BASE_URL: string;
  CDN_URL: string;
  DOCS_DIR: string;
  DATABASE_URL: string;
  DATABASE_POOL_SIZE: number;
  DATABASE_PREPARED: boolean;
  DATABASE_TIMEOUT_MS: number;
  IDEMPOTENCY_WAIT_MS: number;
  DRAIN_MS: number;
  SHUTDOWN_TIMEOUT_MS: number;
  SIGNING_KEYS: string[];
  STORAGE_URL: string;
  STORAGE_BYTES_PER_ACCOUNT: number;
  REDIS_URL: string;
  REDIS_TIMEOUT_MS: number;
  TRACKING_PREFIX: string;
  RATE_LIMIT: number;
  REQUEST_SECONDS: number;
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS: number;
  POSITION_DAYS: number;
  TRUST_PROXY: string[];
  OVERLOAD_DELAY_MS: number;
  LOG_LEVEL: string;
  CHECK_RESPONSES: boolean;
}

interface Variable {
  type: 'string' | 'integer' | 'boolean';
  description: string;
  example: string;
  default?: string | number | boolean;
  /** What is wrong with a value that is set, as a clause such as `must be …`, or undefined. */
  errorOf?: (value: string) => string | undefined;
  [keyword: string]: unknown;
}

/** For values of a simple form. */
const matching =
  (pattern: RegExp, form: string) =>
  (value: string): string | undefined =>
    pattern.test(value) ? undefined : `must be ${form}`;

/** The environment as one table. Nothing else in the server reads the environment. */
export const variables: Record<keyof Config, Variable> = {
  HOST: {
    type: 'string',
    description: 'address to listen on',
    example: '0.0.0.0',
    default: '127.0.0.1',
    errorOf: hostError,
  },
  PORT: {
    type: 'integer',
    description: 'port to listen on',
    example: '3000',
    default: 3000,
    minimum: 0,
    maximum: 65535,
  },
  BASE_URL: {
    type: 'string',
    description: 'where clients reach the API, with the major version (default: this machine, /v1)',
    example: 'https://api.example.com/v1',
    errorOf: baseUrlError,
  },
  CDN_URL: {
    type: 'string',
    description: 'where clients reach the files (default: BASE_URL/files)',
    example: 'https://cdn.example.com/files',
    errorOf: baseUrlError,
  },
  DOCS_DIR: {
    type: 'string',
    description: 'folder with the docs site, served at /docs',
    example: './docs',
    default: '',
  },
  DATABASE_URL: {
    type: 'string',
    description: 'PostgreSQL 15 to 18',
    example: 'postgres://waybill:secret@127.0.0.1:5432/waybill',
    errorOf: databaseUrlError,
  },
  DATABASE_POOL_SIZE: {
    type: 'integer',
    description: 'connections at the most',
    example: '10',
    default: 10,
    minimum: 1,
    maximum: 1000,
  },
  DATABASE_PREPARED: {
    type: 'boolean',
    description: 'prepared statements and session settings; switch off behind an old PgBouncer',
    example: 'false',
    default: true,
  },
  DATABASE_TIMEOUT_MS: {
    type: 'integer',
    description: 'milliseconds that a request waits for a connection, and for each statement',
    example: '4000',
    default: 4000,
    minimum: 100,
    maximum: 60_000,
  },
  IDEMPOTENCY_WAIT_MS: {
    type: 'integer',
    description: 'milliseconds that a repeated request waits for the first one with its Idempotency-Key',
    example: '5000',
    default: 5000,
    minimum: 100,
    maximum: 60_000,
  },
  DRAIN_MS: {
    type: 'integer',
    description: 'milliseconds that a stopping service takes requests, for load balancers to see /health/ready fail',
    example: '2000',
    default: 2000,
    minimum: 0,
    maximum: 600_000,
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: 'integer',
    description: 'milliseconds after that for requests under way to finish',
    example: '10000',
    default: 10_000,
    minimum: 0,
    maximum: 600_000,
  },
  SIGNING_KEYS: {
    type: 'string',
    description: 'secrets for signed URLs, comma-separated: the first signs, all verify',
    example: '"$(openssl rand -hex 32)"',
    errorOf: matching(/^[^,\s]{32,}(,[^,\s]{32,})*$/, 'secrets of at least 32 characters each, without spaces'),
  },
  STORAGE_URL: {
    type: 'string',
    description: 'where files are kept: a folder',
    example: 'file:///var/lib/waybill/files',
    default: 'file:.waybill/files',
    errorOf: folderUrlError,
  },
  STORAGE_BYTES_PER_ACCOUNT: {
    type: 'integer',
    description: 'bytes that the files of an account may have together',
    example: String(10 * 1024 ** 3),
    default: 10 * 1024 ** 3,
    minimum: 10 * 1024 ** 2,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  REDIS_URL: {
    type: 'string',
    description: 'Redis that shares rate limits between processes (default: each process counts for itself)',
    example: 'redis://127.0.0.1:6379',
    default: '',
    errorOf: redisUrlError,
  },
  REDIS_TIMEOUT_MS: {
    type: 'integer',
    description: 'milliseconds that Redis may take to count a request; then each process counts for itself',
    example: '250',
    default: 250,
    minimum: 10,
    maximum: 10_000,
  },
  TRACKING_PREFIX: {
    type: 'string',
    description: 'how tracking numbers begin',
    example: 'FRT',
    default: 'FRT',
    errorOf: matching(/^[A-Z]{2,8}$/, '2 to 8 capital letters'),
  },
  RATE_LIMIT: {
    type: 'integer',
    description: 'requests a minute for each key, and for each address without a good one',
    example: '6000',
    default: 6000,
    minimum: 1,
    maximum: 999_999_999,
  },
  REQUEST_SECONDS: {
    type: 'integer',
    description: 'seconds in which a request must have arrived, its head in a quarter of them',
    example: '60',
    default: 60,
    minimum: 1,
    maximum: 3600,
  },
  MAX_CONNECTIONS: {
    type: 'integer',
    description: 'connections of clients at the most; further ones are closed',
    example: '10000',
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
  },
  MAX_CONNECTIONS_PER_ADDRESS: {
    type: 'integer',
    description: 'connections of one IP address at the most, TRUST_PROXY excepted; further ones are closed',
    example: '1000',
    default: 1_000,
    minimum: 1,
    maximum: 1_000_000,
  },
  POSITION_DAYS: {
    type: 'integer',
    description: 'days that positions are kept',
    example: '90',
    default: 90,
    minimum: 1,
    maximum: 36_500,
  },
  TRUST_PROXY: {
    type: 'string',
    description: 'IP addresses and networks of the proxies whose X-Forwarded-For is believed (default: none)',
    example: '10.0.0.0/8,2001:db8::1',
    default: '',
    errorOf: proxyListError,
  },
  OVERLOAD_DELAY_MS: {
    type: 'integer',
    description: 'milliseconds that the event loop may be late before requests are refused with 503',
    example: '2000',
    default: 2000,
    minimum: 100,
    maximum: 600_000,
  },
  LOG_LEVEL: {
    type: 'string',
    description: 'how much is logged',
    example: 'info',
    default: 'info',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  },
  CHECK_RESPONSES: {
    type: 'boolean',
    description: 'check every answer against the contract; for tests and development',
    example: 'true',
    default: false,
  },
};

/** The settings are not valid; the message names every one of them, what is wrong, and an example. */
export class ConfigError extends Error {}

/**
 * Reads the settings from an environment.
 * @param required the variables that this command cannot do without
 * @throws {ConfigError} naming every variable at fault
 */
export function readConfig(env: Record<string, string | undefined>, required: (keyof Config)[]): Config {
  // An empty variable is an unset one: `PORT= waybill serve` means the default.
  const data = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const schema = {
    type: 'object',
    required,
    properties: Object.fromEntries(
      Object.entries(variables).map(([name, { description: _, example: __, ...rest }]) => [name, rest]),
    ),
  };
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, removeAdditional: true, useDefaults: true });
  ajv.addKeyword({ keyword: 'errorOf', validate: checkValue });
  try {
    const values = envSchema<Record<string, string>>({ data, schema, ajv, env: false });
    return complete({ ...values } as unknown as Config);
  } catch (error) {
    throw explain(error);
  }
}

/** Ajv reads what is wrong from a property of the function itself. */
const checkValue: FuncKeywordDefinition['validate'] & { errors?: Partial<ErrorObject>[] } = (
  errorOf: (value: string) => string | undefined,
  value: string,
) => {
  const message = value === '' ? undefined : errorOf(value);
  checkValue.errors = message ? [{ message, params: {} }] : [];
  return !message;
};

function complete(config: Config): Config {
  const BASE_URL = withoutSlash(config.BASE_URL ?? `${localUrl(config.HOST, config.PORT)}/v1`);
  return {
    ...config,
    BASE_URL,
    CDN_URL: withoutSlash(config.CDN_URL ?? `${BASE_URL}/files`),
    TRUST_PROXY: config.TRUST_PROXY ? splitProxies(String(config.TRUST_PROXY)) : [],
    SIGNING_KEYS: config.SIGNING_KEYS ? String(config.SIGNING_KEYS).split(',') : [],
  };
}

/** An error about one setting. @param fault a clause such as `is not a folder` */
export const settingError = (name: keyof Config, fault: string): ConfigError => invalid([line(name, fault)]);

const invalid = (lines: string[]): ConfigError => new ConfigError(`The settings are not valid:\n${lines.join('\n')}`);

function line(name: string, fault: string): string {
  const variable = Object.entries(variables).find(([known]) => known === name)?.[1];
  return `  ${name} ${fault}: ${variable?.description}. For example: ${name}=${variable?.example}`;
}

function explain(error: unknown): ConfigError {
  if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) throw error;
  const lines = error.errors.map(({ instancePath, params, message }) => {
    if (params.missingProperty) return line(params.missingProperty, 'is not set');
    const { allowedValues } = params as { allowedValues?: string[] };
    return line(instancePath.slice(1), allowedValues ? `must be one of ${allowedValues.join(', ')}` : message);
  });
  return invalid([...new Set(lines)]);
}
