import type { Tables } from '@waybill/server/database/tables';
import { tables } from '@waybill/server/features';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { test } from '../../fixtures/test.ts';

test('every primary key begins with account_id, and every foreign key contains it', async ({ service }) => {
  const { rows } = await sql<{ first: string }>`
    select c.conrelid::regclass::text as table, c.contype as kind, a.attname as first
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype in ('p', 'f') and c.connamespace = 'public'::regnamespace
      -- The instances share all endpoints, and some entries of the audit log concern no account.
      and c.conrelid::regclass::text !~ '^(migrations|instances|webhook_leases|audit_log)$'`.execute(service.db);
  expect(rows.length).toBeGreaterThanOrEqual(Object.keys(tables).length);
  const hint = 'Change the migration in packages/server/src/database/migrations/.';
  expect(
    rows.filter(({ first }) => first !== 'account_id'),
    hint,
  ).toEqual([]);
});

test('Citus gets each table after those that it references, and distributed like them', async ({ service }) => {
  const { rows } = await sql<{ table: keyof Tables; referenced: keyof Tables }>`
    select distinct conrelid::regclass::text as table, confrelid::regclass::text as referenced from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`.execute(service.db);
  expect(rows.length).toBeGreaterThan(0);
  const order = Object.keys(tables);
  for (const { table, referenced } of rows) {
    const hint = `Move ${table} behind ${referenced} in packages/server/src/features.ts: it references it.`;
    expect(order.indexOf(table), hint).toBeGreaterThan(order.indexOf(referenced));
    if (tables[referenced].citus === 'distributed') expect(tables[table].citus, hint).toBe('distributed');
  }
});
