import type { List } from '../mutant.ts';

/** Access: API keys, scopes, rate limits, signed URLs and files. */
export const access: List = {
  'contract/coverage: any scope suffices': '[-scope === required || scope === including-]{+true+}',
  'api-keys cli/keys: an expired key is valid': 'if (key[-.expiresAt === null || key.expiresAt > new Date()-])',
  'api-keys cli/keys: a revoked key is valid':
    "    .where('key_id', '=', keyId)\n[-    .where('revoked_at', 'is', null)\n-]",
  'api-keys cli/keys: the key of a disabled account is valid':
    "    .where('revoked_at', 'is', null)\n[-    .where('disabled_at', 'is', null)\n-]    .executeTakeFirst();",
  'access/credentials: an access opens every shipment of its account':
    'if (tracking_number [-!== undefined && tracking_number !== trackingNumber-]{+=== ""+})',
  'access/credentials: an access lists the shipments of its account':
    "if (!operationTable[id].access{+ && id !== 'listShipments'+}) return",
  'access/details: an access shows the positions whatever its detail is': "listPositions: '[-location-]{+status+}'",
  'access/details: an access shows the timeline whatever its detail is':
    '[-transitions.find(({ to }) => to === entry.status)?.description ?? entry.status-]{+entry.description+}',
  'access/streams: an access shows the events of all shipments':
    '[-    if (row.shipment_id !== shipmentId) return undefined;\n-]',
  'access/streams: the stream of an access has ids': 'Buffer.from([-liveEventText-]{+eventText+}(event))',
  'pages/links: a link without tracking:read opens the page':
    "return [-permits(options.visibility, key.access, 'getTracking') ? key.access : 'unknown'-]{+key.access+};",
  'pages/links: the page shows the route whatever the detail is':
    "[-permits(visibility, access, 'listPositions') ? -]readRoute(context, tracking_number)[- : []-]",
  'pages/links: the page shows the shipment without shipments:read':
    "[-permits(visibility, access, 'getShipment') ? -]read(reading, 'getShipment', { shipment_id })[- : undefined-]",
  'pages/links: a live connection is told of other shipments':
    '([-row.shipment_id === shipmentId && isShown(row)-]{+isShown(row)+} ? change : undefined)',
  'access/access: a key gives scopes that it lacks': 'given.find(([-scope) => !scopes.includes(scope)-]{+) => false+})',
  'access/access: the idempotency keys of an access are those of its account':
    'return [-access ? `${keyId}\\n${key}` : key-]{+key+};',
  'every-operation/requests: the secret of a key is not checked': '!key[- || !secretMatches(secret, key.secretHash)-]',
  'api-keys cli/keys: the secret of a key is stored unhashed': [
    'import { [-hash, -]randomInt,',
    "[-hash('sha256', secret, 'buffer')-]{+Buffer.from(secret)+}",
  ],
  'rate-limits/limits: the rate limit allows one more request': 'if (used <= quota{+ + 1+}) return headers;',
  'rate-limits/limits: the keys of an account share a rate limit':
    "limit.count(key.access ? 'access' : 'key', key.[-keyId-]{+accountId+})",
  'rate-limits/lookups: failed authentications are not counted':
    'const address = clientAddress(request){+ + request.id+};',
  'proof/proof: the signature of a URL is not checked': 'if ([-!isSigned-]{+(!isSigned && !isCanonical)+} ||',
  'contract/coverage: an expired URL is valid': 'if (link.expiresAt[- <= now-]{+.getTime() <= now.getTime() - 1e12+})',
  'proof/proof: the URL of an upload reads files':
    'claim[0] !== purposeByte[purpose]{+ && claim[0] !== purposeByte.upload+})',
  'proof/proof: the SHA-256 of a file is not checked':
    'if ([-!hash.digest().equals(declared.sha256)-]{+hash.digest().length !== declared.sha256.length+})',
  'proof/proof: the type of a file is not checked': "if (type [-!== declared.content_type-]{+=== 'text/plain'+}) {",
  'proof/proof: a file may be one byte larger than declared': 'if (size > declared.size{+ + 1+}) {',
  'cli/audit: a revocation is recorded outside of its transaction':
    "[-await recordAudit(trx, { action: 'keys revoke', accountId, details: { key_id: keyId } });-]{+return true;\n  }).then(async (isRevoked) => {\n    const details = { key_id: keyId };\n    if (isRevoked) await db.transaction().execute((trx) => recordAudit(trx, { action: 'keys revoke', accountId, details }));+}\n  });",
};
