import type { List } from '../mutant.ts';

/** Responses: fields, statuses, headers and problems. */
export const handlers: List = {
  'examples: a shipment lacks its notes': '[-    ...(row.notes !== null && { notes: row.notes }),\n-]',
  'examples: a cancelled shipment lacks its reason':
    '[-    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),\n-]',
  'contract/coverage: an unknown eta is an empty string, not null':
    "    eta: row.eta?.toISOString() ?? [-null-]{+''+},\n",
  'contract/coverage: a timestamp lacks milliseconds':
    ": timeOfUuid(row.id).toISOString(){+.replace(/\\..*/, '')+},\n    updated_at: row.updated_at.toISOString()",
  'contract/coverage: a creation returns 200': 'return reply.code(status{+ === 201 ? 200 : status+}).headers(headers)',
  'contract/coverage: a response lacks Location': '{+delete headers.location;\n  +}const isJson = revealed',
  'http/conditional-requests: a response with an ETag lacks Vary':
    "[-    vary: 'Authorization, Origin, Accept-Encoding',\n-]",
  'contract/coverage: a 503 lacks Retry-After': "[-  if (code === 'unavailable') return { 'Retry-After': '2' };\n-]",
  'contract/coverage: a 401 lacks WWW-Authenticate':
    "[-  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };\n-]",
  'contract/coverage: every response has an undocumented header':
    "  'x-request-id': requestId,\n{+  'x-served-by': 'waybill',\n+}",
  'fuzz: every problem has an undocumented field': "...members{+, ...{ hint: 'Read the docs.' }+} }",
  'contract/coverage: a body that is too large returns malformed_request':
    "FST_ERR_CTP_BODY_TOO_LARGE: '[-payload_too_large-]{+malformed_request+}'",
  'contract/coverage: a lost database connection returns 500':
    "typeof error.code === 'string' ? error.code : '') [-||-]{+&&+}",
  'outages http/app proof contract/coverage: a 500 contains the message of the internal error':
    "  return [-internalError()-]{+new Problem('internal_error', error.message)+};\n}",
  'every-operation/requests: the request id of a problem differs from its header':
    "request_id: requestId{+.replace(/.$/, '0').replace(/^./, '1')+},",
  'every-operation/requests: a 405 lacks Allow': '[-, {}, { Allow: allow }-]);',
  'exceptions/exceptions: a shipment may have one exception more': ".where('exceptions', '<{+=+}', maxExceptions)",
  'exceptions/exceptions: a resolved exception still counts as open':
    "open_exceptions: eb('open_exceptions', '-', [-1-]{+0+})",
  'exceptions/exceptions: an exception can be resolved twice':
    'if (exception.resolved_at [-!== null-]{+=== undefined+}) {',
  'exceptions/exceptions: exceptions are read in the order in which they were raised':
    "[-        .orderBy((by) => by('x.resolved_at', 'is not', null))\n-]",
  'shipments/changes: a shipment can be changed in any status':
    'if (refused.length > [-0-]{+99+}) throw changeNotAllowed',
  'shipments/changes: a change that changes nothing has an event':
    'return [-different.length > 0 ? changed : undefined-]{+changed+};',
  'shipments/changes: a change does not lock the shipment': 'columns)[-.forNoKeyUpdate()-].executeTakeFirst()',
  'shipments/changes: a change ignores If-Match':
    "[-if (headers['if-match'] !== undefined) requireMatch(headers['if-match'], shipmentTag(before));-]",
  'proof/handover: six handover codes are compared': 'requireAttempt(sent, count - [-1-]{+2+})',
  'proof/handover: a code is compared although the key of its request is used':
    'const key = [-keyed ?-]{+keyed && Date.now() < 0 ?+} await reserveKey',
  'proof/handover: the uploads of a proof are checked after its code':
    '[-      await requireUsableUploads(trx, shipment, body, now);\n-]',
  'proof/unattended: an unattended delivery needs no photo': 'if (unattended && !photos{+ && false+}) errors.push',
  'proof/unattended: the service ignores that a signature is required':
    'deliveryAt(body.delivered_at, now));\n[-    requireUnattendedAllowed(body, shipment.details);\n-]    const photos',
};
