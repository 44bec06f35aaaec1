import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tables } from '@waybill/server/database/tables';
import { tables } from '@waybill/server/features';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Node, nodesOf } from '../../api/account-queries/sources.ts';
import { test } from '../../fixtures/test.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('@waybill/server/database/tables')), 'utf8');

/** Type in tables.ts → the types of PostgreSQL that pg returns as it. */
const storedAs: Record<string, string[]> = {
  Buffer: ['bytea'],
  Date: ['timestamp with time zone'],
  EncryptedSecret: ['text'],
  JSONColumnType: ['jsonb'],
  NullableJson: ['jsonb, null'],
  Schemas: ['text'],
  "Schemas['AccessScope'][]": ['text[]'],
  "Schemas['EventType'][]": ['text[]'],
  'Scope[]': ['text[]'],
  Timestamp: ['timestamp with time zone'],
  'Generated<boolean>': ['boolean'],
  'Generated<number>': ['integer'],
  boolean: ['boolean'],
  number: ['bigint', 'double precision', 'integer'],
  string: ['text', 'uuid'],
  'string[]': ['text[]', 'uuid[]'],
};

interface Property extends Node {
  key: Node & { name: string };
  typeAnnotation: { typeAnnotation: Node & { members: Property[] } };
}

const typesOf = (members: Property[]): [string, Property['typeAnnotation']['typeAnnotation']][] =>
  members.map(({ key, typeAnnotation }) => [key.name, typeAnnotation.typeAnnotation]);

/** Table → column → its type as tables.ts declares it. */
function declaredTables(): Record<string, Record<string, string>> {
  const body = nodesOf(source).flatMap(({ node }) => {
    const { id, body } = node as { id?: { name?: string }; body?: { body: Property[] } };
    return id?.name === 'Tables' && body ? body.body : [];
  });
  const columns = (members: Property[]) =>
    Object.fromEntries(typesOf(members).map(([name, { start, end }]) => [name, source.slice(start, end)]));
  return Object.fromEntries(typesOf(body).map(([table, { members }]) => [table, columns(members)]));
}

function storedTypes(type: string): string[] {
  const nullable = /^Nullable<(.+)>$/.exec(type)?.[1];
  if (nullable) return storedTypes(nullable).map((name) => `${name}, null`);
  return storedAs[type] ?? storedAs[type.replace(/[<[].*/, '')] ?? [];
}

const mapValues = <T, U>(object: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const declared = declaredTables();

test('the table types match the migrated database', async ({ service }) => {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select c.relname as table, a.attname as column,
           format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then '' else ', null' end as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      and c.relname <> 'migrations'`.execute(service.db);
  const found: Record<string, Record<string, string>> = {};
  for (const { table, column, type } of rows) found[table] = { ...found[table], [column]: type };
  const expected = mapValues(declared, (columns, table) =>
    mapValues(columns, (type, column) => {
      const types = storedTypes(type);
      const stored = found[table]?.[column] ?? '';
      return types.includes(stored) ? stored : types.join(' or ');
    }),
  );
  expect(
    found,
    'Add a migration to packages/server/src/database/migrations/, and its columns to database/tables.ts.',
  ).toEqual(expected);
});

test('every primary key begins with account_id, and every foreign key contains it', async ({ service }) => {
  const { rows } = await sql<{ table: string; kind: string; first: string }>`
    select c.conrelid::regclass::text as table, c.contype as kind, a.attname as first
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype in ('p', 'f') and c.connamespace = 'public'::regnamespace
      -- The instances share all endpoints, and some entries of the audit log concern no account.
      and c.conrelid::regclass::text !~ '^(migrations|instances|webhook_leases|audit_log)$'`.execute(service.db);
  expect(rows.length).toBeGreaterThanOrEqual(Object.keys(declared).length);
  for (const row of rows)
    expect(row, 'Change the migration in packages/server/src/database/migrations/.').toMatchObject({
      first: 'account_id',
    });
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
