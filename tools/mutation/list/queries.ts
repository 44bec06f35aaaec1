import { type Mutant, mutantsIn } from '../mutant.ts';

const mutant = mutantsIn('packages/server/src');

/** Queries: accounts, pagination, lifecycle, positions and proofs. */
export const queries: Mutant[] = [
  mutant('listShipments reads other accounts', 'shipments/queries.ts', 'every-operation/account-isolation', {
    "select(selectedColumns).where('account_id', '=', accountId);":
      "select(selectedColumns).where('account_id', '>=', accountId);",
  }),
  mutant('getProofOfDelivery reads other accounts', 'proof/queries.ts', 'every-operation/account-isolation', {
    ".where('s.account_id', '=', accountId)": ".where('s.account_id', '<=', accountId)",
  }),
  mutant('a transition changes other accounts', 'tracking/queries.ts', 'account-queries/statements', {
    'where s.account_id = ${accountId} and ${matchesShipment(shipment)} and':
      'where s.account_id <= ${accountId} and ${matchesShipment(shipment)} and',
  }),
  mutant('recordPositions writes to other accounts', 'tracking/positions.ts', 'every-operation/account-isolation', {
    ".where('account_id', '=', accountId)\n    .where('tracking_number'":
      ".where('account_id', '<=', accountId)\n    .where('tracking_number'",
  }),
  mutant(
    'batched reads of two accounts are mixed up',
    'database/batched-read.ts',
    'every-operation/account-isolation database/batches',
    {
      'new Map(rows.map((row) => [nameOf(row), row]))': 'new Map(rows.map((row) => [String(row[keyColumn]), row]))',
      'pairs.map((pair) => found.get(nameOf(pair)))': 'pairs.map((pair) => found.get(String(pair[keyColumn])))',
    },
  ),
  mutant(
    'a batched query reads the cross product of its pairs',
    'tracking/queries.ts',
    'database/batches pagination shipments every-operation/account-isolation',
    {
      'join ${pairs} pairs using (account_id, tracking_number)': 'join ${pairs} pairs using (tracking_number)',
    },
  ),
  mutant('a full last page has a next page', 'http/pagination.ts', 'pagination', {
    'const last = rows.length > limit ? page.at(-1) : undefined;':
      'const last = rows.length >= limit ? page.at(-1) : undefined;',
  }),
  mutant('a shipment is on two pages', 'shipments/queries.ts', 'pagination', {
    "if (after) query = query.where('id', '<', after);": "if (after) query = query.where('id', '<=', after);",
  }),
  mutant('a position is on two pages', 'tracking/positions.ts', 'positions', {
    "query.where('updated_at', '>', after)": "query.where('updated_at', '>=', after)",
  }),
  mutant('listPositions ends after its first page', 'tracking/handlers.ts', 'positions', {
    'id, after, limit + 1, route_since)': 'id, after, limit, route_since)',
  }),
  mutant('to_date excludes its day', 'shipments/handlers.ts', 'pagination/shipments', {
    'end.getUTCDate() + 1': 'end.getUTCDate()',
  }),
  mutant('a cursor is valid with other filters', 'http/pagination.ts', 'pagination', {
    'if (!bytes.subarray(0, fingerprintLength).equals(fingerprintOf(filters))) {':
      'if (fingerprintOf(filters).length !== fingerprintLength) {',
  }),
  mutant('a transition is possible from any status', 'tracking/queries.ts', 'every-operation/lifecycle', {
    'and s.status = any(${from}::text[])\n      and': 'and (s.status = any(${from}::text[]) or true)\n        and',
  }),
  mutant('an event may be far earlier than the previous one', 'tracking/queries.ts', 'fuzz', {
    'occurredAt.getTime() + tolerance': 'occurredAt.getTime() + 1000 * tolerance',
  }),
  mutant('a late position becomes the current one', 'tracking/insert-positions.ts', 'positions', {
    'where (old.updated_at is null or old.updated_at <= excluded.updated_at)\n    and': 'where',
  }),
  mutant('a position after delivery moves the shipment', 'tracking/insert-positions.ts', 'positions', {
    "if (newest && positionRules[status] === 'move')": 'if (newest)',
  }),
  mutant('a late eta replaces a newer one', 'tracking/positions.ts', 'positions shipments', {
    "is('current_positions.updated_at', '<=', asOf)": "is('current_positions.updated_at', '>=', asOf)",
  }),
  mutant('a response has a late position', 'tracking/report.ts', 'positions', {
    'row.updated_at > at': 'row.updated_at < at',
  }),
  mutant(
    'a group returns an outdated current location',
    'tracking/positions-group-statements.ts',
    'positions/outdated-reads',
    { 'select 1 / (r.current_position_xmin': 'select 1 + (r.current_position_xmin' },
  ),
  mutant('a group returns an outdated timeline', 'tracking/positions-in-group.ts', 'positions/outdated-reads', {
    ' && isTimelineCurrent(shipment)': '',
  }),
  mutant('the timeline is newest first', 'tracking/queries.ts', 'every-operation/lifecycle', {
    'order by e.version)': 'order by e.version desc)',
  }),
  mutant('an event lacks its default description', 'tracking/transition.ts', 'every-operation/lifecycle', {
    'description ?? transitions[0]?.description ?? to': 'description ?? to',
  }),
  mutant('a proof accepts files that are not uploaded', 'proof/queries.ts', 'proof/proof', {
    "    .where('verified_at', 'is not', null)\n": '',
  }),
  mutant('a proof accepts files of another shipment', 'proof/queries.ts', 'proof/proof', {
    "    .where('shipment_id', '=', shipmentId)\n    .where((is) => is('id'":
      "    .where('shipment_id', '>=', shipmentId.replace(/./g, (digit) => (digit === '-' ? '-' : '0')))\n    .where((is) => is('id'",
  }),
  mutant('a proof accepts a photo as signature', 'proof/handlers.ts', 'proof/proof', {
    'upload.id === id && upload.kind === kind': 'upload.id === id && kind !== undefined',
  }),
  mutant('a group waits for locks as long as a write alone', 'database/group-commit.ts', 'idempotency/groups', {
    "const rowLockTimeout = '50';": "const rowLockTimeout = '600000';",
  }),
  mutant('a refused group is not executed alone', 'database/group-commit.ts', 'idempotency/groups', {
    'if (maySucceedSeparately(error) ||': 'if (',
  }),
  mutant(
    'a tracking number of a block is returned twice',
    'database/tracking-sequence.ts',
    'shipments/tracking-numbers',
    {
      'numbers.push(...(await takeSequenceNumbers(db, blockSize)));':
        'const before = [...numbers];\n      const next = await takeSequenceNumbers(db, blockSize);\n      numbers.splice(0, numbers.length, ...before, ...next);',
    },
  ),
  mutant('uploads are removed an hour early', 'jobs/clean-up.ts', 'files/expired', {
    'uploadLife / 3_600_000 + 1;': 'uploadLife / 3_600_000;',
  }),
  mutant('a cursor is valid for the positions of another shipment', 'tracking/handlers.ts', 'pagination/cursors', {
    'readCursor(cursor, path, 8)': 'readCursor(cursor, {}, 8)',
    'makeCursor(timeBytes(updated_at), path)': 'makeCursor(timeBytes(updated_at), {})',
  }),
  mutant('a group records any number of positions', 'tracking/positions-group.ts', 'idempotency/groups', {
    'weight: { max: 2_000,': 'weight: { max: 2_000_000,',
  }),
  mutant('an acknowledged creation may be lost', 'shipments/create-in-group.ts', 'outages/network', {
    'return insertTogether(db, {': 'void insertTogether(db, {',
    '    prepared,\n  });\n};': '    prepared,\n  }).catch(() => {});\n  return prepared;\n};',
  }),
];
