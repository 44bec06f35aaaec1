import type { components } from '@waybill/contract/types';
import type { Database } from '../database/database.ts';
import { appendEvents } from '../event-feed/append.ts';
import { endpointFrom } from './endpoint.ts';
import { visibleColumns } from './endpoint-queries.ts';

/** Disables an endpoint whose deliveries fail, and appends the event about it. @returns whether it was enabled before */
export function disableEndpoint(
  db: Database,
  accountId: string,
  id: string,
  reason: components['schemas']['WebhookDisabledReason'],
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('webhook_endpoints')
      .set({ status: 'disabled', disabled_reason: reason, updated_at: new Date() })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('status', '=', 'enabled')
      .returning(visibleColumns)
      .executeTakeFirst();
    if (!row) return false;
    const data = { webhook_endpoint: endpointFrom(row) };
    await appendEvents(trx, accountId, [{ type: 'webhook_endpoint.disabled', shipmentId: null, data }]);
    return true;
  });
}
