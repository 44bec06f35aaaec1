import { type Mutant, mutant } from '../mutant.ts';

/** Access: API keys, scopes, rate limits, signed URLs and files. */
export const access: Mutant[] = [
  mutant('any scope suffices', 'contract-coverage/coverage', { 'scope === required || scope === including': 'true' }),
  mutant('an expired key is valid', 'api-keys cli/keys', {
    'if (key.expiresAt === null || key.expiresAt > new Date())': 'if (key)',
  }),
  mutant('a revoked key is valid', 'api-keys cli/keys', {
    "    .where('key_id', '=', keyId)\n    .where('revoked_at', 'is', null)\n": "    .where('key_id', '=', keyId)\n",
  }),
  mutant('the key of a disabled account is valid', 'api-keys cli/keys', {
    "    .where('revoked_at', 'is', null)\n    .where('disabled_at', 'is', null)\n    .executeTakeFirst();":
      "    .where('revoked_at', 'is', null)\n    .executeTakeFirst();",
  }),
  mutant('an access opens every shipment of its account', 'access/credentials', {
    'if (tracking_number !== undefined && tracking_number !== trackingNumber)': 'if (tracking_number === "")',
  }),
  mutant('an access lists the shipments of its account', 'access/credentials', {
    'if (!operationTable[id].access) return': "if (!operationTable[id].access && id !== 'listShipments') return",
  }),
  mutant('an access shows the positions whatever its detail is', 'access/details', {
    "listPositions: 'location'": "listPositions: 'status'",
  }),
  mutant('an access shows the timeline whatever its detail is', 'access/details', {
    'transitions.find(({ to }) => to === entry.status)?.description ?? entry.status': 'entry.description',
  }),
  mutant('an access shows the events of all shipments', 'access/streams', {
    '    if (row.shipment_id !== shipmentId) return undefined;\n': '',
    '  if (!isOwn || ': '  if (',
  }),
  mutant('the stream of an access has ids', 'access/streams', {
    'Buffer.from(liveEventText(event))': 'Buffer.from(eventText(event))',
  }),
  mutant('a link without tracking:read opens the page', 'pages/links', {
    "return permits(key.access, 'getTracking') ? key.access : 'unknown';": 'return key.access;',
  }),
  mutant('the page shows the route whatever the detail is', 'pages/links', {
    "permits(access, 'listPositions') ? readRoute(context, tracking_number) : []":
      'readRoute(context, tracking_number)',
  }),
  mutant('the page shows the shipment without shipments:read', 'pages/links', {
    "permits(access, 'getShipment') ? read(reading, 'getShipment', { shipment_id }) : undefined":
      "read(reading, 'getShipment', { shipment_id })",
  }),
  mutant('a live connection is told of other shipments', 'pages/links', {
    "row.shipment_id === shipmentId && (row.type === 'shipment.cancelled' || visibleText(row) !== undefined)":
      'row.type !== undefined',
  }),
  mutant('a key gives scopes that it lacks', 'access/access', {
    'given.find((scope) => !scopes.includes(scope))': 'given.find(() => false)',
  }),
  mutant('the idempotency keys of an access are those of its account', 'access/access', {
    'key !== undefined && access ? `${keyId}\\n${key}` : key': 'key',
  }),
  mutant('the secret of a key is not checked', 'every-operation/requests', {
    '!key || !secretMatches(secret, key.secretHash)': '!key',
  }),
  mutant('the secret of a key is stored unhashed', 'api-keys cli/keys', {
    'import { hash, randomInt,': 'import { randomInt,',
    "hash('sha256', secret, 'buffer')": 'Buffer.from(secret)',
  }),
  mutant('the rate limit allows one more request', 'rate-limits/limits', {
    'if (used <= quota) return headers;': 'if (used <= quota + 1) return headers;',
  }),
  mutant('the keys of an account share a rate limit', 'rate-limits/limits', {
    "limit.count('key', key.keyId)": "limit.count('key', key.accountId)",
  }),
  mutant('failed authentications are not counted', 'rate-limits/lookups', {
    'const address = clientAddress(request);': 'const address = clientAddress(request) + request.id;',
  }),
  mutant('the signature of a URL is not checked', 'proof/proof', {
    'if (!isSigned ||': 'if ((!isSigned && !isCanonical) ||',
  }),
  mutant('an expired URL is valid', 'contract-coverage/coverage', {
    'if (link.expiresAt <= now)': 'if (link.expiresAt.getTime() <= now.getTime() - 1e12)',
  }),
  mutant('the URL of an upload reads files', 'proof/proof', {
    'claim[0] !== purposeByte[purpose])': 'claim[0] !== purposeByte[purpose] && claim[0] !== purposeByte.upload)',
  }),
  mutant('the SHA-256 of a file is not checked', 'proof/proof', {
    'if (!hash.digest().equals(declared.sha256))': 'if (hash.digest().length !== declared.sha256.length)',
  }),
  mutant('the type of a file is not checked', 'proof/proof', {
    'if (type !== declared.content_type) {': "if (type === 'text/plain') {",
  }),
  mutant('a file may be one byte larger than declared', 'proof/proof', {
    'if (size > declared.size) {': 'if (size > declared.size + 1) {',
  }),
  mutant('a revocation is recorded outside of its transaction', 'cli/audit', {
    "await recordAudit(trx, { action: 'keys revoke', accountId, details: { key_id: keyId } });\n  });":
      "return true;\n  }).then(async (isRevoked) => {\n    const details = { key_id: keyId };\n    if (isRevoked) await db.transaction().execute((trx) => recordAudit(trx, { action: 'keys revoke', accountId, details }));\n  });",
  }),
];
