import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { newUuid } from '../../database/identifiers.ts';
import type { Tables } from '../../database/tables.ts';

// The list of the enabled endpoints of all accounts (`enabled_webhook_endpoints`), which the instances share.

/** Identifies an endpoint, by uuids. */
export interface EndpointRef {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Adds an endpoint that was enabled to the list, so that an instance sends its events. */
export async function addToList(db: Kysely<Tables>, { accountId, endpointId }: EndpointRef): Promise<void> {
  const version = newUuid();
  await db
    .insertInto('enabled_webhook_endpoints')
    .values({ account_id: accountId, endpoint_id: endpointId, version })
    .onConflict((conflict) => conflict.columns(['account_id', 'endpoint_id']).doUpdateSet({ version }))
    .execute();
}

/** Gives a listed endpoint a new version: the instance that sends its events wakes its worker. */
export async function markChanged(db: Kysely<Tables>, { accountId, endpointId }: EndpointRef): Promise<void> {
  await db
    .updateTable('enabled_webhook_endpoints')
    .set({ version: newUuid() })
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}

/**
 * Removes an endpoint from the list when it is disabled or deleted.
 * @param version with it, only while the row has this version: meanwhile the endpoint may have been enabled again
 */
export async function removeFromList(
  db: Kysely<Tables>,
  { accountId, endpointId }: EndpointRef,
  version?: string,
): Promise<void> {
  await db
    .deleteFrom('enabled_webhook_endpoints')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .$if(version !== undefined, (query) => query.where('version', '=', String(version)))
    .execute();
}

/**
 * Lists the enabled endpoints that are not listed, because Citus has committed their change on their node, but not on the
 * coordinator. Fails while a Citus node is stopped.
 */
export async function addMissingToList(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('enabled_webhook_endpoints')
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

/** An enabled endpoint of an account that is not disabled. */
export interface ListedEndpoint {
  account_id: string;
  endpoint_id: string;
  /** A new one when the endpoint is enabled, and when a request has queued something for it. */
  version: string;
}

/** The parts of the list. Only those are read that have changed. */
const parts = 256;
const part = sql<number>`uuid_hash(c.endpoint_id) & ${sql.lit(parts - 1)}`;
/** Changes with any version of a part, and with the number of its endpoints. */
const sum = sql<string>`count(*) || ' ' || sum(uuid_hash(c.version))`;

/** The listed endpoints, as `c`. On Citus the coordinator alone responds. */
const listed = (
  db: Kysely<Tables>,
): SelectQueryBuilder<Tables & { c: Tables['enabled_webhook_endpoints'] }, 'c', object> =>
  db
    .selectFrom('enabled_webhook_endpoints as c')
    // An array: a join would look up the account of each endpoint.
    .where(sql<boolean>`c.account_id <> all(array(select account_id from accounts where disabled_at is not null))`);

type ReadEndpoint = ListedEndpoint & { part: number };

/** The listed endpoints as they were read last. */
export class EndpointList {
  #sums = new Map<number, string>();
  readonly #endpoints = new Map<string, ReadEndpoint>();

  get(endpointId: string): ListedEndpoint | undefined {
    return this.#endpoints.get(endpointId);
  }

  ids(): Iterable<string> {
    return this.#endpoints.keys();
  }

  /** Reads what has changed. @returns the ids of the endpoints that were added, changed or removed */
  async read(db: Kysely<Tables>): Promise<string[]> {
    const sums = await listed(db)
      .select([part.as('part'), sum.as('sum')])
      .groupBy(part)
      .execute();
    const sumOf = new Map(sums.map((each) => [each.part, each.sum]));
    const changed = new Set([...sumOf.keys(), ...this.#sums.keys()].filter((n) => sumOf.get(n) !== this.#sums.get(n)));
    if (changed.size === 0) return [];
    const rows = await listed(db)
      .select([part.as('part'), 'c.account_id', 'c.endpoint_id', 'c.version'])
      .where(part, '=', sql<number>`any(${[...changed]}::integer[])`)
      .execute();
    const known = [...this.#endpoints.values()].filter((endpoint) => changed.has(endpoint.part));
    const isRead = new Set(rows.map(({ endpoint_id }) => endpoint_id));
    const removed = known.filter(({ endpoint_id }) => !isRead.has(endpoint_id));
    for (const { endpoint_id } of removed) this.#endpoints.delete(endpoint_id);
    const added = rows.filter(({ version, endpoint_id }) => this.#endpoints.get(endpoint_id)?.version !== version);
    for (const row of added) this.#endpoints.set(row.endpoint_id, row);
    this.#sums = sumOf; // after the rows, which may be newer: then the next call reads them again
    return [...removed, ...added].map(({ endpoint_id }) => endpoint_id);
  }
}
