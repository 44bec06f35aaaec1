import { newUuid } from '@waybill/http/identifiers';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** An enabled endpoint of an account that is not disabled. */
export interface ListedEndpoint {
  account_id: string;
  endpoint_id: string;
  /** Changes when the endpoint is enabled, and when a request has queued something for it. */
  version: string;
}

/** Lists an endpoint that was enabled, so that an instance sends its events. */
export async function listEndpoint(db: Kysely<Tables>, accountId: string, endpointId: string): Promise<void> {
  const version = newUuid();
  await db
    .insertInto('webhook_changes')
    .values({ account_id: accountId, endpoint_id: endpointId, version })
    .onConflict((conflict) => conflict.columns(['account_id', 'endpoint_id']).doUpdateSet({ version }))
    .execute();
}

/** Lets the instance that sends the events of an endpoint look at it again. Without effect while it is disabled. */
export async function noteChange(db: Kysely<Tables>, accountId: string, endpointId: string): Promise<void> {
  await db
    .updateTable('webhook_changes')
    .set({ version: newUuid() })
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}

/**
 * Removes an endpoint that is disabled or deleted.
 * @param version leaves an endpoint alone that was changed since
 */
export async function unlistEndpoint(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  version?: string,
): Promise<void> {
  await db
    .deleteFrom('webhook_changes')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .$if(version !== undefined, (query) => query.where('version', '=', String(version)))
    .execute();
}

/** All listed endpoints. On Citus the coordinator alone responds. */
export const selectListed = (db: Kysely<Tables>): Promise<ListedEndpoint[]> =>
  db
    .selectFrom('webhook_changes as c')
    .innerJoin('accounts as a', 'a.account_id', 'c.account_id')
    .select(['c.account_id', 'c.endpoint_id', 'c.version'])
    .where('a.disabled_at', 'is', null)
    .execute();

/**
 * Lists the enabled endpoints that are not listed: those that an instance of the previous release has enabled, and those
 * whose change Citus has committed on their worker, but not on the coordinator. Fails while a worker is stopped.
 */
export async function listMissing(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('webhook_changes')
    .columns(['account_id', 'endpoint_id', 'version'])
    .expression(
      (from) =>
        from
          .selectFrom('webhook_endpoints')
          .select(['account_id', 'id as endpoint_id', from.fn<string>('gen_random_uuid').as('version')])
          .where('status', '=', sql.lit('enabled')), // for its index
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
