import { checkDatabaseForStart } from '../checks/database.ts';
import { checkDocsFolder } from '../checks/docs-folder.ts';
import { checkStorage } from '../checks/storage.ts';
import { type Config, settingErrors } from '../config.ts';

/**
 * Checks the folders and the database that the settings name, so that the service starts only if it can work. A schema of
 * a later release is accepted: an upgrade migrates before it replaces the instances.
 * @throws {ConfigError} naming every setting that is wrong, what is wrong, what to do, and an example
 */
export async function runStartChecks(config: Config): Promise<void> {
  const findings = await Promise.all([
    checkDocsFolder(config.DOCS_DIR),
    checkStorage(config),
    checkDatabaseForStart(config),
  ]);
  const wrong = findings.flat().filter(({ ok }) => !ok);
  if (wrong.length === 0) return;
  throw settingErrors(
    wrong.map(({ name, message, fix = '' }) => ({
      name: name as keyof Config,
      error: `${message}. ${fix.replace(/\.$/, '')}`,
    })),
  );
}
