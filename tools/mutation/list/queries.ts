import type { List } from '../mutant.ts';

/** Queries: accounts, pagination, lifecycle, positions and proofs. */
export const queries: List = {
  'every-operation/requests: listShipments reads other accounts':
    "select(columns).where('account_id', '{+>+}=', accountId).limit(limit);",
  'contract/coverage: getProofOfDelivery reads other accounts': ".where('s.account_id', '{+<+}=', accountId)",
  'account-queries/statements: a transition changes other accounts': "eb('s.account_id', '{+<+}=', accountId),",
  'database/batches: batched reads of two accounts are mixed up': [
    '(row) => [[-nameOf(row-]{+String(row[keyColumn]+}), row])',
    'rows.get([-nameOf(each-]{+String(each[keyColumn]+}))',
  ],
  'pagination: a full last page has a next page': 'const last = rows.length >{+=+} limit ? page.at(-1) : undefined;',
  'pagination: a shipment is on two pages': "if (after && !order) query = query.where('id', '<{+=+}', after.id);",
  'pagination: a changed shipment is on two pages': "refTuple(order, 'id'), '>{+=+}', tuple",
  'positions: a position is on two pages': "query.where('updated_at', '>{+=+}', after)",
  'positions: listPositions ends after its first page': 'route, after, limit[- + 1-])',
  'pagination: to_date excludes its day': 'end.getUTCDate()[- + 1-]',
  'pagination: a cursor is valid with other filters':
    '[-!bytes.subarray(0, fingerprintLength).equals(fingerprintOf(filters))-]{+fingerprintOf(filters).length !== fingerprintLength+}',
  'every-operation/lifecycle: a transition is possible from any status':
    "(eb) => eb{+.or+}({+[eb(+}'s.status', '=', eb.fn.any(eb.val(from))){+, eb('s.status', 'is not', null)])+}",
  'fuzz: an event may be far earlier than the previous one': 'occurredAt.getTime() + {+1000 * +}tolerance',
  'positions: a late position becomes the current one':
    "eb('current_positions.updated_at', 'is', null), eb([-'current_positions.updated_at', '<=', reportedAt-]{+reportedAt, 'is not', null+})",
  'positions: a position after delivery moves the shipment':
    ".where(isOneOf('shipment_status', [-movingStatuses-]{+[...movingStatuses, ...storingStatuses]+})),",
  'positions shipments: a late eta replaces a newer one':
    "eb('current_positions.updated_at', '[-<-]{+>+}=', reportedAt)",
  'every-operation/lifecycle: the timeline is newest first': ".orderBy('e.version'{+, 'desc'+})\n",
  'every-operation/lifecycle: an event lacks its default description':
    'description ?? [-possible[0]?.description ?? -]to',
  'proof/proof: a proof accepts files that are not uploaded': "[-      eb('verified_at', 'is not', null),\n-]",
  'proof/proof: a proof accepts files of another shipment':
    "eb('shipment_id', '[-=', id-]{+>=', id.replace(/./g, (digit) => (digit === '-' ? '-' : '0'))+}),\n      eb('id'",
  'proof/proof: a proof accepts a photo as signature':
    'upload.id === id && [-upload.kind === kind-]{+kind !== undefined+}',
  'idempotency/groups: a group waits for locks as long as a write alone': 'const groupLockTimeout = [-50-]{+600000+};',
  'idempotency/groups: a refused group is not executed alone':
    'if (isRefusal(error){+ && writes.length === 0+}) return writes.map(() => false);',
  'shipments/creation: a tracking number of a block is returned twice':
    '[-numbers.push(...(await takeSequenceNumbers(database, blockSize)));-]{+const before = [...numbers];\n      const next = await takeSequenceNumbers(database, blockSize);\n      numbers.splice(0, numbers.length, ...before, ...next);+}',
  'files/stored: uploads are removed an hour early': 'const hoursAfterEnd = [-1-]{+0+};',
  'pagination: a cursor is valid for the positions of another shipment': [
    '? undefined : timeFromCursor(readCursor(cursor, [-path-]{+{}+}, timeLength))',
    'makeCursor(timeToBytes(updated_at), [-path-]{+{}+})',
  ],
  'idempotency/groups: a group records any number of positions': 'size: { max: [-2_000-]{+2_000_000+},',
  'outages/postgres: an acknowledged creation may be lost':
    'const leftOut = await commitTogether(writes){+.catch(() => [])+};',
};
