import type { List } from '../mutant.ts';

/** Validation, idempotency and conditional reads. */
export const adapter: List = {
  'contract/coverage: unknown query parameters are valid': 'additionalProperties: [-false-]{+true+} });',
  'validation/bodies: a 400 names only the first invalid field':
    'allErrors: [-true-]{+false+},\n    coerceTypes: false,',
  'validation/bodies: a 400 names any number of invalid fields': 'reported.slice(0, maxFieldErrors{+ * 1000+})',
  'fuzz: a number in a body may be a string': 'coerceTypes: [-false-]{+true+},',
  'contract/coverage: requests are validated before they are authenticated': '[-onRequest-]{+preHandler+}: admit(id),',
  'fuzz: a number in a URL may have any format': 'integer: /^[--?(0|[1-9]\\d*)-]{+.++}$/',
  'fuzz: `after` of x-time allows equal timestamps': 'timestampOf(time) <[-=-] timestampOf(',
  'fuzz: `max_ahead` of x-time allows twice the time': 'time > now + {+2 * +}milliseconds(duration)',
  'fuzz: nonexistent days are valid': "const isValid = [-matches(fullFormats['date-time'], text) && -]year",
  'contract/coverage: invalid UTF-8 is replaced': '{ fatal: [-true-]{+false+} }',
  'contract/coverage: every operation accepts images':
    "if (type === undefined || accepted.includes(type){+ || type === 'image/png'+}) return;",
  'contract/coverage: a compressed body is stored as it came':
    "if (hasContentCoding(encoding){+ && encoding === 'br'+}) {",
  'contract/coverage: a key with another body replays the response':
    'canonicalJson(path), [-canonicalJson(body)-]{+typeof body+}]',
  'idempotency/stored-responses: the order of fields makes another request':
    'canonicalJson(path), [-canonicalJson-]{+JSON.stringify+}(body)]',
  'contract/coverage: a replay lacks Idempotent-Replayed':
    "headers: { ...headers[-, 'idempotent-replayed': 'true'-] }, body }",
  'outages/network: the look-up of a key does not count towards the time of its request':
    'return andThen([-countWait(request, found)-]{+found+}, ({',
  'outages/network: the search for a stored response has no limit':
    'await [-beforeDeadline(outcome, start + keyedTimeout)-]{+outcome+}',
  'idempotency/stored-responses: a 400 is stored': 'const statusesNotStored = [[-400, -]401,',
  'idempotency/every-post: a response is stored a day too long': 'export const retentionHours = [-24-]{+48+};',
  'idempotency/every-post: an expired response is not replaced': 'return eb.or([[-isExpired(eb), -]isReserved]);',
  'idempotency: a response is stored outside the transaction of the write':
    'await storeResponse([-trx-]{+db as typeof trx+}, responseRow(accountId, keyed, response), database)',
  'http/conditional-requests: any If-None-Match returns 304':
    'header.match(form)?.some((listed) => listed[- === etag-]{+.length > 2+}',
  'http/conditional-requests: the ETag is that of the first characters only':
    "hash('sha256', representation{+.slice(0, 40)+}, 'buffer')",
  'time-limits: DATABASE_TIMEOUT_MS has no effect': '    timeout: [-config.DATABASE_TIMEOUT_MS-]{+4000+},',
  'files/folder files/s3: STORAGE_TIMEOUT_MS has no effect':
    'config.STORAGE_URL, [-config.STORAGE_TIMEOUT_MS-]{+4000+}',
  'shutdown: SHUTDOWN_TIMEOUT_MS has no effect': 'timeout: [-config.SHUTDOWN_TIMEOUT_MS-]{+10_000+} }',
  'contract/coverage outages: a lost database connection ends the process': "client.[-on-]{+off+}('error', onError);",
  'outages/network: a connection that has got one of several responses is not watched':
    '[-if (known.responses === 0) -]waiting.delete(client);',
};
