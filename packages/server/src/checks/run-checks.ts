import { type Config, readValidConfig } from '../config.ts';
import { withTimeLimit } from '../timing/time-limit.ts';
import { checkDatabase } from './database.ts';
import { checkDocsSite } from './docs-folder.ts';
import { type Finding, failed, messageOf } from './finding.ts';
import { checkRedis } from './redis.ts';
import { checkSigningKeys } from './signing-keys.ts';
import { checkStorage } from './storage.ts';
import { checkUrls } from './urls.ts';

interface Check {
  /** The settings that it uses. It runs when they are valid. The findings name the first one if it does not end. */
  settings: [keyof Config, ...(keyof Config)[]];
  run(config: Config): Finding[] | Promise<Finding[]>;
}

const required: (keyof Config)[] = ['DATABASE_URL', 'SIGNING_KEYS'];

/** Milliseconds that a check may take, such as one that writes to an unreachable network file system. */
const timeout = 20_000;

const checks: Check[] = [
  { settings: ['BASE_URL', 'CDN_URL', 'HOST', 'PORT'], run: checkUrls },
  { settings: ['SIGNING_KEYS'], run: ({ SIGNING_KEYS }) => [checkSigningKeys(SIGNING_KEYS)] },
  { settings: ['DOCS_DIR'], run: async ({ DOCS_DIR }) => [await checkDocsSite(DOCS_DIR)] },
  { settings: ['STORAGE_URL', 'STORAGE_TIMEOUT_MS'], run: async (config) => [await checkStorage(config)] },
  {
    settings: ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'DATABASE_PREPARED', 'DATABASE_TIMEOUT_MS'],
    run: checkDatabase,
  },
  { settings: ['REDIS_URL', 'REDIS_TIMEOUT_MS'], run: async (config) => [await checkRedis(config)] },
];

/** Checks everything that the service needs. @param env undefined for the environment of the process */
export async function runChecks(env: Record<string, string | undefined> | undefined): Promise<Finding[]> {
  const { config, errors } = readValidConfig(env, required);
  const invalid = new Set(errors.map(({ name }) => name));
  const possible = checks.filter(({ settings }) => !settings.some((name) => invalid.has(name)));
  const findings = await Promise.all(possible.map((check) => runWithTimeout(check, config)));
  return [
    ...errors.map(({ name, error, expected }) => failed(name, error, `Expected: ${expected}`)),
    ...findings.flat(),
  ];
}

async function runWithTimeout({ settings: [name], run }: Check, config: Config): Promise<Finding[]> {
  const message = `could not be checked within ${timeout / 1000} s`;
  const late = (): Finding[] => [failed(name, message, 'Check that it responds.')];
  try {
    return await withTimeLimit(Promise.resolve(run(config)), timeout, late);
  } catch (error) {
    return [failed(name, `could not be checked (${messageOf(error)})`, 'Report this message.')];
  }
}
