import { stat } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { defaultBaseUrl } from '@waybill/contract/operations';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import { type Config, readValidConfig } from '../config.ts';
import { openStorage } from '../storage/open.ts';
import { checkDatabase } from './database-checks.ts';
import { type Finding, failed, messageOf, passed } from './finding.ts';
import { basePathOf } from './urls.ts';

const keyFix = 'Make each key with `openssl rand -hex 32`.';
/** Words of keys in documents, tests and examples. */
const exampleWord = /change.?me|example|secret|passwor|openssl|waybill|signing|123456|abcdef/i;
/** Bits that the characters of a key must contain at least. 32 random hexadecimal digits contain about 115. */
const minBits = 90;

/** Checks that the secrets of signed URLs are different and cannot be guessed. It does not show them. */
function checkSigningKeys(keys: string[]): Finding {
  const name = 'SIGNING_KEYS';
  for (const [index, key] of keys.entries()) {
    const which = keys.length > 1 ? ` in key ${index + 1} of ${keys.length}` : '';
    if (keys.indexOf(key) !== index) return failed(name, `has the same key twice`, 'Remove one of them.');
    if (/^(.+?)\1+$/.test(key)) return failed(name, `repeats a text${which}`, keyFix);
    if (exampleWord.test(key)) return failed(name, `has words of an example${which}`, keyFix);
    if (bitsOf(key) < minBits) return failed(name, `has too few different characters${which}`, keyFix);
  }
  return passed(name, keys.length === 1 ? 'is a strong key' : `are ${keys.length} strong keys`);
}

/** The information of a text by the frequency of its characters (Shannon), in bits. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}

/** The path that the contract's servers end in: the major version, such as `/v1`. */
const version = basePathOf(defaultBaseUrl);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Checks that clients can use the URLs that responses contain. */
function checkUrls({ BASE_URL, CDN_URL, HOST }: Config): Finding[] {
  return [checkBaseUrl(BASE_URL, HOST), ...(CDN_URL === BASE_URL ? [] : [checkScheme('CDN_URL', CDN_URL)])];
}

function checkBaseUrl(url: string, host: string): Finding {
  const name = 'BASE_URL';
  if (!basePathOf(url).endsWith(version)) {
    return failed(name, `is ${url}, without the major version`, `Append ${version}: clients send it by the contract.`);
  }
  if (isLoopback(new URL(url).hostname) && !isLoopback(host)) {
    return failed(
      name,
      `is ${url}, which clients on other machines cannot reach, but HOST is ${host}`,
      `Set it to the public URL, such as https://api.example.com${version}.`,
    );
  }
  return checkScheme(name, url);
}

function checkScheme(name: string, url: string): Finding {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return passed(name, `is ${url}`);
  if (isLoopback(hostname)) return passed(name, `is ${url}, for clients on this machine`);
  return failed(
    name,
    `is ${url}: API keys and files are sent without encryption`,
    'Use https, and a proxy that ends TLS in front of the service.',
  );
}

const docsFix = 'Name the folder of the docs site, `docs` beside the bundle.';

/** Checks the folder of the docs. @param folder empty when it is not set */
export async function checkDocsFolder(folder: string): Promise<Finding> {
  const name = 'DOCS_DIR';
  if (folder === '') return passed(name, 'is not set: the service has no docs');
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() ? passed(name, `is ${folder}`) : failed(name, `${folder} is not a folder`, docsFix);
}

/** The same, and that the site is in it. `start` builds the site while the service runs. */
async function checkDocsSite(folder: string): Promise<Finding> {
  const finding = await checkDocsFolder(folder);
  if (folder === '' || !finding.ok) return finding;
  const index = await stat(join(folder, 'index.html')).catch(() => undefined);
  return index?.isFile() ? finding : failed('DOCS_DIR', `${folder} has no index.html`, docsFix);
}

type Settings = Pick<Config, 'STORAGE_URL' | 'STORAGE_TIMEOUT_MS'>;

/** Stores a file, because permissions do not show that a file system is read-only or full. */
export async function checkStorage({ STORAGE_URL, STORAGE_TIMEOUT_MS }: Settings): Promise<Finding> {
  try {
    const storage = await openStorage(STORAGE_URL, STORAGE_TIMEOUT_MS);
    await storage.checkWritable();
    return passed('STORAGE_URL', 'is writable');
  } catch (error) {
    const fix = 'Let the service write there, or name another place.';
    return failed('STORAGE_URL', `is not writable (${messageOf(error)})`, fix);
  }
}

/** Checks Redis if it is set. The service runs without it, but then each instance limits requests separately. */
async function checkRedis({ REDIS_URL, REDIS_TIMEOUT_MS }: Config): Promise<Finding> {
  const name = 'REDIS_URL';
  if (!REDIS_URL) return passed(name, 'is not set: each instance counts requests separately');
  try {
    const { writeToRedis } = await import('../rate-limit/redis.ts');
    await writeToRedis(REDIS_URL, REDIS_TIMEOUT_MS);
    return passed(name, 'is a Redis that accepts writes');
  } catch (error) {
    return failed(name, `cannot be used (${reasonOf(error)})`, 'Start Redis as a primary, or correct REDIS_URL.');
  }
}

/** After attempts to several IP addresses, Node lists the messages in `errors`. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);

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
