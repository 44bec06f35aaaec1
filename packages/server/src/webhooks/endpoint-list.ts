import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { pending } from './delivery-queue.ts';

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

/**
 * Those of some endpoints that have something to do: events to queue, or deliveries that are pending. Each may have its own
 * account. Without it a worker would have to look for each endpoint when an instance starts.
 */
export async function selectWithWork(
  db: Kysely<Tables>,
  endpoints: { accountId: string; endpointId: string }[],
): Promise<Set<string>> {
  const [accountIds, ids] = [endpoints.map(({ accountId }) => accountId), endpoints.map((each) => each.endpointId)];
  const rows = await db
    .selectFrom('webhook_endpoints as w')
    .select('w.id')
    .where('w.account_id', '=', sql<string>`any(${[...new Set(accountIds)]}::uuid[])`)
    .where('w.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('w.status', '=', 'enabled')
    .where((eb) => {
      // Not `exists`, for which PostgreSQL may read the events of all accounts.
      const events = eb.selectFrom('events as e').select('e.number').whereRef('e.account_id', '=', 'w.account_id');
      const later = events.whereRef('e.number', '>', 'w.event_number').orderBy('e.number').limit(eb.lit(1));
      const deliveries = eb
        .selectFrom('webhook_deliveries as d')
        .select('d.id')
        .whereRef('d.account_id', '=', 'w.account_id')
        .whereRef('d.endpoint_id', '=', 'w.id')
        .where('d.status', '=', pending)
        .limit(eb.lit(1));
      return eb.or([eb('w.replay_from', 'is not', null), eb(later, 'is not', null), eb(deliveries, 'is not', null)]);
    })
    .execute();
  return new Set(rows.map(({ id }) => id));
}
