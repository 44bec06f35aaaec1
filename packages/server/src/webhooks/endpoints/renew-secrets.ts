import type { Kysely, Selectable } from 'kysely';
import type { SecretBox } from '../../database/secret-box.ts';
import { nilUuid, now } from '../../database/statements/expressions.ts';
import type { EncryptedSecret, Tables } from '../../database/tables.ts';
import { earlierSecretColumns, earlierSecrets, endpointUpdateQuery, withEarlierSecrets } from './endpoints.ts';

/** Endpoints that are read at a time. */
const renewedAtOnce = 500;

type EndpointSecrets = Pick<
  Selectable<Tables['webhook_endpoints']>,
  'account_id' | 'id' | 'secret' | (typeof earlierSecretColumns)[number]
> & { now: Date };

/** The secrets of an endpoint that sign, the current one first. */
const secretsOf = (row: EndpointSecrets): EncryptedSecret[] => [
  row.secret,
  ...earlierSecrets(row, row.now).map(({ secret }) => secret),
];

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
    const secrets = secretsOf(endpoint);
    const renewed = renewedOf(secrets, renew);
    if (!renewed) failed++;
    else if (renewed.some((each, at) => each !== secrets[at])) await updateSecrets(db, endpoint, renewed);
  }
  return failed;
}

/** The number of endpoints with a secret that none of the keys decrypts. */
export async function countUnreadable(db: Kysely<Tables>, { renew }: Pick<SecretBox, 'renew'>): Promise<number> {
  let count = 0;
  for await (const endpoint of selectSecrets(db)) if (!renewedOf(secretsOf(endpoint), renew)) count++;
  return count;
}

/** @returns undefined when no key decrypts them */
function renewedOf(secrets: EncryptedSecret[], renew: SecretBox['renew']): EncryptedSecret[] | undefined {
  try {
    return secrets.map(renew);
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
      .select(['account_id', 'id', 'secret', ...earlierSecretColumns, now.as('now')])
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
  row: EndpointSecrets,
  [secret = row.secret, ...others]: EncryptedSecret[],
): Promise<void> {
  const earlier = earlierSecrets(row, row.now).map((each, at) => ({ ...each, secret: others[at] ?? each.secret }));
  await endpointUpdateQuery(db, { accountId: row.account_id, endpointId: row.id })
    .set({ secret, ...withEarlierSecrets(earlier) })
    .where('secret', '=', row.secret)
    .execute();
}
