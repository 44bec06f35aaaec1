import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { isMissingTable } from '../database/errors.ts';
import { countUnreadable } from '../webhooks/renew-secrets.ts';
import { secretBox } from '../webhooks/signing.ts';
import { checkClock, checkPoolSize, checkSchema, checkServer } from './database-server.ts';
import { checkSessions, isStartupRefused, poolerFix } from './database-sessions.ts';
import { type Finding, failed, messageOf, passed } from './finding.ts';

type Settings = Pick<Config, 'DATABASE_URL' | 'DATABASE_PREPARED' | 'DATABASE_TIMEOUT_MS'>;

/** Checks everything about the database. When it cannot be reached, there is one finding. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const serverFindings = (db: Database): Promise<Finding>[] => [
    checkServer(db),
    checkSchema(db),
    checkPoolSize(db, config),
    checkClock(db),
    ...(config.SIGNING_KEYS.length > 0 ? [checkWebhookSecrets(db, config)] : []), // not if they are missing or invalid
  ];
  try {
    return await withService(config, async (db) => [
      ...(await Promise.all(serverFindings(db))),
      await checkSessions(db, config),
    ]);
  } catch (error) {
    if (!isStartupRefused(error)) return [unusable(error)];
    const rest = await withService({ ...config, DATABASE_PREPARED: false }, (db) => Promise.all(serverFindings(db)));
    return [...rest, startupRefused(error)];
  }
}

/** Checks what would stop every request: the connection with the options of the service, the server and the schema. */
export async function checkDatabaseForStart(config: Settings): Promise<Finding[]> {
  try {
    return await withService(config, async (db) => [await checkServer(db), await checkSchema(db)]);
  } catch (error) {
    return [isStartupRefused(error) ? startupRefused(error) : unusable(error)];
  }
}

async function withService<Result>(config: Settings, work: (db: Database) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL: url, DATABASE_PREPARED: prepared, DATABASE_TIMEOUT_MS: timeout } = config;
  const db = openDatabase({ url, poolSize: 2, prepared, timeout });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Checks that SIGNING_KEYS has the keys that have encrypted the secrets of webhook endpoints. */
async function checkWebhookSecrets(db: Database, { SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>): Promise<Finding> {
  const name = 'SIGNING_KEYS';
  const unreadable = await countUnreadable(db, secretBox(SIGNING_KEYS)).catch((error) => {
    if (isMissingTable(error)) return 0; // the finding of the schema names the missing migration
    throw error;
  });
  if (unreadable === 0) return passed(name, 'decrypts all webhook secrets');
  const fix = 'Add the key that was removed, or let the owner of each endpoint call rotateWebhookSecret.';
  return failed(name, `does not decrypt the webhook secrets of ${unreadable} endpoints`, fix);
}

const startupRefused = (error: unknown): Finding =>
  failed('DATABASE_PREPARED', `is true, but the connection pooler refuses it (${messageOf(error)})`, poolerFix);

const unusable = (error: unknown): Finding =>
  failed(
    'DATABASE_URL',
    `is a database that cannot be used (${messageOf(error)})`,
    'Start PostgreSQL, or correct host, port, name, user and password.',
  );
