import { readFile } from 'node:fs/promises';
import type { EventData } from '@waybill/contract/events';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { test } from '../../fixtures/test.ts';

const released = JSON.parse(await readFile(new URL('../../../spec/released/openapi.json', import.meta.url), 'utf8'));
const examples = Object.entries<{ value: { status?: string } }>(released.components.examples);

/** What events of a service of the last release contain: its examples of shipments and of tracking statuses. */
const cases = examples.flatMap(([name, { value }]): [string, EventData][] => {
  if (value.status === undefined) return [];
  if (/^Shipment/.test(name)) return [['shipment.cancelled', { shipment: value } as EventData]];
  return 'timeline' in value ? [['tracking.status_reached', { tracking: value } as EventData]] : [];
});

test('listEvents returns events that a service of the last release has stored', async ({ service, account }) => {
  expect(cases.length).toBeGreaterThan(10);
  for (const [type, data] of cases) {
    await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
      values (${account.id}, nextval('event_numbers'), now(), ${type}, gen_random_uuid(), ${JSON.stringify(data)})
    `.execute(service.db);
  }
  const page = await account.client.listEvents({ limit: 100 });
  expect(page.data.map(({ data }) => data)).toEqual(cases.map(([, data]) => data));
});
