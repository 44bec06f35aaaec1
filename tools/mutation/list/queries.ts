import { type Mutant, mutant } from '../mutant.ts';

/** Queries: accounts, pagination, lifecycle, positions and proofs. */
export const queries: Mutant[] = [
  mutant('listShipments reads other accounts', 'every-operation/requests', {
    "select(selectedColumns).where('account_id', '=', accountId).limit(limit);":
      "select(selectedColumns).where('account_id', '>=', accountId).limit(limit);",
  }),
  mutant('getProofOfDelivery reads other accounts', 'contract-coverage/coverage', {
    ".where('s.account_id', '=', accountId)": ".where('s.account_id', '<=', accountId)",
  }),
  mutant('a transition changes other accounts', 'account-queries/statements', {
    "is('s.account_id', '=', accountId),": "is('s.account_id', '<=', accountId),",
  }),
  mutant('recordPositions writes to other accounts', 'contract-coverage/coverage', {
    ".where('account_id', '=', accountId)\n    .where('tracking_number'":
      ".where('account_id', '<=', accountId)\n    .where('tracking_number'",
  }),
  mutant('batched reads of two accounts are mixed up', 'database/batches', {
    '(row) => [nameOf(row), row])': '(row) => [String(row[keyColumn]), row])',
    'rows.get(nameOf(each))': 'rows.get(String(each[keyColumn]))',
  }),
  mutant('a full last page has a next page', 'pagination', {
    'const last = rows.length > limit ? page.at(-1) : undefined;':
      'const last = rows.length >= limit ? page.at(-1) : undefined;',
  }),
  mutant('a shipment is on two pages', 'pagination', {
    "else if (after) query = query.where('id', '<', after.id);":
      "else if (after) query = query.where('id', '<=', after.id);",
  }),
  mutant('a changed shipment is on two pages', 'pagination', {
    "refTuple('updated_at', 'id'), '>', tuple": "refTuple('updated_at', 'id'), '>=', tuple",
  }),
  mutant('a position is on two pages', 'positions', {
    "query.where('updated_at', '>', after)": "query.where('updated_at', '>=', after)",
  }),
  mutant('listPositions ends after its first page', 'positions', {
    'id, after, limit + 1, route_since)': 'id, after, limit, route_since)',
  }),
  mutant('to_date excludes its day', 'mock/service-cases', { 'end.getUTCDate() + 1': 'end.getUTCDate()' }),
  mutant('a cursor is valid with other filters', 'pagination', {
    'if (!bytes.subarray(0, fingerprintLength).equals(fingerprintOf(filters))) {':
      'if (fingerprintOf(filters).length !== fingerprintLength) {',
  }),
  mutant('a transition is possible from any status', 'every-operation/lifecycle', {
    "(is) => is('s.status', '=', is.fn.any(is.val(from)))":
      "(is) => is.or([is('s.status', '=', is.fn.any(is.val(from))), is('s.status', 'is not', null)])",
  }),
  mutant('an event may be far earlier than the previous one', 'fuzz', {
    'occurredAt.getTime() + tolerance': 'occurredAt.getTime() + 1000 * tolerance',
  }),
  mutant('a late position becomes the current one', 'positions', {
    "is('current_positions.updated_at', 'is', null), is('current_positions.updated_at', '<=', reportedAt)":
      "is('current_positions.updated_at', 'is', null), is(reportedAt, 'is not', null)",
  }),
  mutant('a position after delivery moves the shipment', 'positions', {
    ".where(isOneOf('status', movingStatuses)),": ".where(isOneOf('status', [...movingStatuses, ...storingStatuses])),",
  }),
  mutant('a late eta replaces a newer one', 'positions shipments', {
    "is('current_positions.updated_at', '<=', reportedAt)": "is('current_positions.updated_at', '>=', reportedAt)",
  }),
  mutant('the timeline is newest first', 'every-operation/lifecycle', {
    ".orderBy('e.version')\n": ".orderBy('e.version', 'desc')\n",
  }),
  mutant('an event lacks its default description', 'every-operation/lifecycle', {
    'description ?? possible[0]?.description ?? to': 'description ?? to',
  }),
  mutant('a proof accepts files that are not uploaded', 'proof/proof', {
    "    .where('verified_at', 'is not', null)\n": '',
  }),
  mutant('a proof accepts files of another shipment', 'proof/proof', {
    "    .where('shipment_id', '=', shipmentId)\n    .where((is) => is('id'":
      "    .where('shipment_id', '>=', shipmentId.replace(/./g, (digit) => (digit === '-' ? '-' : '0')))\n    .where((is) => is('id'",
  }),
  mutant('a proof accepts a photo as signature', 'proof/proof', {
    'upload.id === uuidOf(uploadId) && upload.kind === kind': 'upload.id === uuidOf(uploadId) && kind !== undefined',
  }),
  mutant('a group waits for locks as long as a write alone', 'idempotency/groups', {
    "const rowLockTimeout = '50';": "const rowLockTimeout = '600000';",
  }),
  mutant('a refused group is not executed alone', 'idempotency/groups', {
    'if (maySucceedSeparately(error)) return writes.map':
      'if (maySucceedSeparately(error) && writes.length === 0) return writes.map',
  }),
  mutant('a tracking number of a block is returned twice', 'shipments/creation', {
    'numbers.push(...(await takeSequenceNumbers(database, blockSize)));':
      'const before = [...numbers];\n      const next = await takeSequenceNumbers(database, blockSize);\n      numbers.splice(0, numbers.length, ...before, ...next);',
  }),
  mutant('uploads are removed an hour early', 'files/stored', {
    'uploadLife / 3_600_000 + 1;': 'uploadLife / 3_600_000;',
  }),
  mutant('a cursor is valid for the positions of another shipment', 'pagination', {
    '? undefined : timeFromCursor(readCursor(cursor, path, timeLength))':
      '? undefined : timeFromCursor(readCursor(cursor, {}, timeLength))',
    'makeCursor(timeToBytes(updated_at), path)': 'makeCursor(timeToBytes(updated_at), {})',
  }),
  mutant('a group records any number of positions', 'idempotency/groups', {
    'weight: { max: 2_000,': 'weight: { max: 2_000_000,',
  }),
  mutant('an acknowledged creation may be lost', 'outages/postgres', {
    '      const results = await insertGroup(database, { shipments: creations.map(({ row }) => row) });':
      '      insertGroup(database, { shipments: creations.map(({ row }) => row) }).catch(() => {});\n      const results = creations.map(({ row }) => ({ id: row.id, result: "inserted" as const }));',
  }),
];
