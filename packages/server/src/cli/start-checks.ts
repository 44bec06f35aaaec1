import { stat } from 'node:fs/promises';
import { type Config, settingError } from '../config.ts';
import { connect } from '../database/connect.ts';
import { schemaLevel } from '../database/schema-level.ts';
import { openStorage } from '../storage/open.ts';

/**
 * Checks the folder of the docs, the storage and the database that the settings name, so that the service starts only if
 * it can work.
 * @throws {ConfigError} naming the setting, what is wrong, and an example
 */
export async function runStartChecks(config: Config): Promise<void> {
  if (config.DOCS_DIR !== '') await checkDocs(config.DOCS_DIR);
  await checkStorage(config);
  await checkDatabase(config.DATABASE_URL);
}

async function checkDocs(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw settingError('DOCS_DIR', `${folder} is not a folder`);
}

async function checkStorage({ STORAGE_URL, STORAGE_TIMEOUT_MS }: Config): Promise<void> {
  const storage = await openStorage(STORAGE_URL, STORAGE_TIMEOUT_MS);
  try {
    await storage.checkWritable();
  } catch (error) {
    throw settingError('STORAGE_URL', `is not writable (${messageOf(error)})`);
  }
}

async function checkDatabase(url: string): Promise<void> {
  const db = connect({ url, poolSize: 1, prepared: false });
  try {
    const { pending } = await schemaLevel(db);
    if (pending.length === 0) return;
    throw settingError(
      'DATABASE_URL',
      `is a database without the migrations ${pending.join(', ')}. Run \`waybill migrate\` first`,
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw settingError('DATABASE_URL', `is a database that cannot be used (${messageOf(error)})`);
    }
    throw error;
  } finally {
    await db.destroy();
  }
}

/** Without line breaks, because each setting has one line. Node leaves the message empty when it tried several addresses. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message || String('code' in error ? error.code : error.name);
  return text.replaceAll(/\s+/g, ' ');
}
