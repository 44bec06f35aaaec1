import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';
import { accountTables, unboundTables } from './unbound-tables.ts';

const cases: [text: string, unbound: string[]][] = [
  ['select * from shipments where account_id = $1', []],
  ['select * from shipments', ['shipments']],
  ['select account_id from shipments where id = $1', ['shipments']],
  ['select * from shipments where account_id = account_id', ['shipments']],
  ['select * from shipments where account_id = $1 or id = $2', ['shipments']],
  ['select * from shipments where account_id <> $1', ['shipments']],
  ["update shipments set notes = '' where id = $1", ['shipments']],
  ['delete from positions where shipment_id = $1', ['positions']],
  [
    'select 1 from shipments s join proofs p on p.account_id = s.account_id and p.shipment_id = s.id where s.id = $1',
    ['proofs', 'shipments'],
  ],
  [
    'select 1 from shipments s join proofs p on p.account_id = s.account_id and p.shipment_id = s.id where s.account_id = $1',
    [],
  ],
  ['select 1 from shipments s join proofs p on p.shipment_id = s.id where s.account_id = $1', ['proofs']],
  ['select s.* from shipments s join unnest($1::uuid[], $2::uuid[]) k(account_id, id) using (account_id, id)', []],
  ['select * from shipments where account_id = any($1::uuid[]) and id = any($2::uuid[])', ['shipments']],
  ['with s as (select * from shipments where id = $1) select * from s where account_id = $2', []],
  [
    'with s as materialized (select * from shipments where id = $1) select * from s where account_id = $2',
    ['shipments'],
  ],
];

test.for(cases)('unboundTables of `%s` returns %j', async ([text, unbound], { service: { db } }) => {
  expect((await unboundTables(db, text, await accountTables(db))).sort()).toEqual(unbound);
});
