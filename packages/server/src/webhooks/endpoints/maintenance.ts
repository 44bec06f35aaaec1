import type { FastifyBaseLogger } from 'fastify';
import { unlessRunning } from '../../concurrency/unless-running.ts';
import type { Database } from '../../database/database.ts';
import type { SecretBox } from '../../database/secret-box.ts';
import { addMissingToList } from './endpoint-list.ts';
import { renewSecrets } from './renew-secrets.ts';

/** Milliseconds until the first run, between two, and after a failed one. */
const firstDelay = 1000;
const interval = 60_000;
const failedInterval = 10_000;

interface Options {
  db: Database;
  log: Pick<FastifyBaseLogger, 'warn'>;
  secrets: Pick<SecretBox, 'renew'>;
}

/**
 * Repairs the list of enabled endpoints again and again, and encrypts all secrets once: a start follows each change of
 * SIGNING_KEYS. It reads the endpoints of all accounts, also those of other instances, so that it needs all nodes of Citus.
 */
export function startMaintenance({ db, log, secrets }: Options): { close(): Promise<void> } {
  let areSecretsRenewed = false;
  let isClosed = false;
  const maintaining = unlessRunning(maintain);
  let timer = setTimeout(maintaining.start, firstDelay);

  async function maintain(): Promise<void> {
    let delay = interval;
    try {
      await addMissingToList(db);
      if (!areSecretsRenewed) await renewAll();
    } catch (error) {
      delay = failedInterval;
      log.warn({ err: error }, 'could not read the webhook endpoints of all accounts');
    }
    if (!isClosed) timer = setTimeout(maintaining.start, delay);
  }

  async function renewAll(): Promise<void> {
    const failed = await renewSecrets(db, secrets, () => isClosed);
    areSecretsRenewed = true;
    if (failed > 0) log.warn({ endpoints: failed }, 'found webhook secrets that no key of SIGNING_KEYS decrypts');
  }

  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      return maintaining.ended();
    },
  };
}
