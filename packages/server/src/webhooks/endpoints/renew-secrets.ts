import type { Kysely } from 'kysely';
import type { SecretBox } from '../../database/secret-box.ts';
import { nilUuid, now } from '../../database/statements/expressions.ts';
import type { EncryptedSecret, Tables } from '../../database/tables.ts';
import { endpointUpdateQuery } from './endpoints.ts';

/** Endpoints that are read at a time. */
const renewedAtOnce = 500;

interface EndpointSecrets {
  account_id: string;
  id: string;
  secret: EncryptedSecret;
  /** Null when it has expired. */
  previous_secret: EncryptedSecret | null;
}
type Renewed = Pick<EndpointSecrets, 'secret' | 'previous_secret'>;

/**
 * Encrypts the secrets of all endpoints with the first of SIGNING_KEYS, so that the others can be removed. Secrets that
 * none of the keys decrypts stay as they are.
 * @param isStopped whether to leave the remaining endpoints to the next start
 * @returns the number of endpoints with such a secret
 */
export async function renewSecrets(
  db: Kysely<Tables>,
  { renew }: Pick<SecretBox, 'renew'>,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let failed = 0;
  for await (const endpoint of selectSecrets(db)) {
    if (isStopped()) break;
    const renewed = renewedOf(endpoint, renew);
    if (!renewed) failed++;
    else if (renewed.secret !== endpoint.secret || renewed.previous_secret !== endpoint.previous_secret) {
      await updateSecrets(db, endpoint, renewed);
    }
  }
  return failed;
}

/** The number of endpoints with a secret that none of the keys decrypts. */
export async function countUnreadable(db: Kysely<Tables>, { renew }: Pick<SecretBox, 'renew'>): Promise<number> {
  let count = 0;
  for await (const endpoint of selectSecrets(db)) if (!renewedOf(endpoint, renew)) count++;
  return count;
}

/** @returns undefined when no key decrypts them */
function renewedOf({ secret, previous_secret }: EndpointSecrets, renew: SecretBox['renew']): Renewed | undefined {
  try {
    return { secret: renew(secret), previous_secret: previous_secret && renew(previous_secret) };
  } catch {
    return undefined;
  }
}

/** All endpoints, of all accounts. */
async function* selectSecrets(db: Kysely<Tables>): AsyncGenerator<EndpointSecrets> {
  let last = { account_id: nilUuid, id: nilUuid };
  for (;;) {
    const { account_id, id } = last;
    const rows = await db
      .selectFrom('webhook_endpoints')
      .select(['account_id', 'id', 'secret'])
      .select((eb) =>
        eb
          .case()
          .when('previous_secret_expires_at', '>', now)
          .then(eb.ref('previous_secret'))
          .end()
          .as('previous_secret'),
      )
      .where((eb) => eb(eb.refTuple('account_id', 'id'), '>', eb.tuple(account_id, id)))
      .orderBy('account_id')
      .orderBy('id')
      .limit(renewedAtOnce)
      .execute();
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < renewedAtOnce) return;
    last = end;
  }
}

/** Leaves secrets alone that a request has rotated meanwhile. */
async function updateSecrets(
  db: Kysely<Tables>,
  { account_id, id, secret }: EndpointSecrets,
  renewed: Renewed,
): Promise<void> {
  await endpointUpdateQuery(db, { accountId: account_id, endpointId: id })
    .set(renewed)
    .where('secret', '=', secret)
    .execute();
}
