import type { Tables } from '@waybill/server/database/tables';
import type { SelectType } from 'kysely';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';

interface TypeOf {
  bytea: Buffer;
  bigint: string;
  'double precision': number;
  integer: number;
  jsonb: object;
  text: string;
  'text[]': string[];
  'timestamp with time zone': Date;
  uuid: string;
  'uuid[]': string[];
}
type Names<T> = { [Name in keyof TypeOf]: T extends TypeOf[Name] ? Name : never }[keyof TypeOf];
type Column<T> = null extends T ? `${Names<NonNullable<T>>}, null` : Names<T>;

/** Bound to the table types by the compiler and to the migrated database by the test. */
const columns: { [T in keyof Tables]: { [C in keyof Tables[T]]: Column<SelectType<Tables[T][C]>> } } = {
  accounts: {
    account_id: 'uuid',
    name: 'text',
    created_at: 'timestamp with time zone',
    disabled_at: 'timestamp with time zone, null',
  },
  api_keys: {
    account_id: 'uuid',
    key_id: 'text',
    secret_hash: 'bytea',
    name: 'text',
    scopes: 'text[]',
    created_at: 'timestamp with time zone',
    expires_at: 'timestamp with time zone, null',
    last_used_at: 'timestamp with time zone, null',
    revoked_at: 'timestamp with time zone, null',
  },
  shipments: {
    account_id: 'uuid',
    id: 'uuid',
    tracking_number: 'text',
    status: 'text',
    version: 'integer',
    type: 'text',
    origin: 'jsonb',
    destination: 'jsonb',
    pickup_start: 'timestamp with time zone',
    pickup_end: 'timestamp with time zone',
    reference: 'text, null',
    notes: 'text, null',
    cancellation_reason: 'text, null',
    route_since: 'timestamp with time zone, null',
    updated_at: 'timestamp with time zone',
  },
  tracking_events: {
    account_id: 'uuid',
    shipment_id: 'uuid',
    version: 'integer',
    status: 'text',
    occurred_at: 'timestamp with time zone',
    description: 'text',
  },
  positions: {
    account_id: 'uuid',
    shipment_id: 'uuid',
    updated_at: 'timestamp with time zone',
    lat: 'double precision',
    lng: 'double precision',
    address: 'text, null',
  },
  current_positions: {
    account_id: 'uuid',
    shipment_id: 'uuid',
    lat: 'double precision, null',
    lng: 'double precision, null',
    address: 'text, null',
    updated_at: 'timestamp with time zone, null',
    eta: 'timestamp with time zone, null',
  },
  proof_uploads: {
    account_id: 'uuid',
    id: 'uuid',
    shipment_id: 'uuid',
    kind: 'text',
    content_type: 'text',
    size: 'integer',
    sha256: 'bytea',
    created_at: 'timestamp with time zone',
    verified_at: 'timestamp with time zone, null',
    bound_at: 'timestamp with time zone, null',
  },
  stored_bytes: {
    account_id: 'uuid',
    bytes: 'bigint',
  },
  proofs: {
    account_id: 'uuid',
    shipment_id: 'uuid',
    delivered_at: 'timestamp with time zone',
    signed_by: 'text',
    signature: 'uuid',
    photos: 'uuid[]',
    lat: 'double precision',
    lng: 'double precision',
  },
  idempotency_keys: {
    account_id: 'uuid',
    key: 'text',
    fingerprint: 'bytea',
    status: 'integer',
    headers: 'jsonb',
    body: 'jsonb',
    created_at: 'timestamp with time zone',
  },
};

test('the table types match the migrated database', async ({ service }) => {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select c.relname as table, a.attname as column,
           format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then '' else ', null' end as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      and c.relname not like 'kysely_%'`.execute(service.db);
  const found: Record<string, Record<string, string>> = {};
  for (const { table, column, type } of rows) found[table] = { ...found[table], [column]: type };
  expect(found).toEqual(columns);
});

test('every primary key begins with account_id, and every foreign key contains it', async ({ service }) => {
  const { rows } = await sql<{ table: string; kind: string; first: string }>`
    select c.conrelid::regclass::text as table, c.contype as kind, a.attname as first
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype in ('p', 'f') and c.connamespace = 'public'::regnamespace
      and c.conrelid::regclass::text not like 'kysely_%'`.execute(service.db);
  expect(rows.length).toBeGreaterThanOrEqual(Object.keys(columns).length);
  for (const row of rows) expect(row).toMatchObject({ first: 'account_id' });
});
