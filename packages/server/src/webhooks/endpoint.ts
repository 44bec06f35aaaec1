import type { components } from '@waybill/contract/types';
import { publicId, timeOfUuid } from '@waybill/http/identifiers';
import type { Selectable } from 'kysely';
import type { Tables } from '../database/tables.ts';

export type EndpointRow = Pick<
  Selectable<Tables['webhook_endpoints']>,
  'id' | 'url' | 'description' | 'types' | 'status' | 'disabled_reason' | 'updated_at'
>;

/** Returns an endpoint as callers and events see it. */
export const endpointFrom = (row: EndpointRow): components['schemas']['WebhookEndpoint'] => ({
  id: publicId('whe', row.id),
  url: row.url,
  description: row.description,
  types: row.types,
  status: row.status,
  ...(row.disabled_reason !== null && { disabled_reason: row.disabled_reason }),
  created_at: timeOfUuid(row.id).toISOString(),
  updated_at: row.updated_at.toISOString(),
});
