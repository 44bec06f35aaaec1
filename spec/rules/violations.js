const deprecation = { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use another.' };
const deprecate = (node, changes) =>
  Object.assign(node, { deprecated: true, 'x-deprecation': { ...deprecation, ...changes } });
const count = (description) => ({ type: 'integer', description, format: 'int32', minimum: 0, maximum: 9 });

/** Rule → violation → how to change the bundled contract. The function gets the operations by id and the components. */
export const violations = {
  struct: {
    'a response without a description': ({ responses }) => delete responses.NotFound.description,
    'a nullable schema': ({ schemas }) => Object.assign(schemas.Shipment.properties.notes, { nullable: true }),
    'a problem without a title': ({ schemas }) => delete schemas.ProblemCode['x-problems'].headers_too_large.title,
    'an unknown rule of time': ({ schemas }) =>
      Object.assign(schemas.TrackingEventRequest.properties.timestamp, { 'x-time': { max_age: 'PT5M' } }),
    'a deprecation without what to use instead': ({ operations }) =>
      deprecate(operations.listEvents, { instead: undefined }),
    'an unknown effect of positions': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-lifecycle'].delivered, { positions: 'delete' }),
  },
  'operation-summary': {
    'an operation without a summary': ({ operations }) => delete operations.getShipment.summary,
  },
  'operation-description': {
    'an operation without a description': ({ operations }) => delete operations.getShipment.description,
  },
  'parameter-description': {
    'a parameter without a description': ({ parameters }) => delete parameters.LimitParameter.description,
  },
  'info-contact': {
    'no contact': ({ document }) => delete document.info.contact,
  },
  'operation-tag-defined': {
    'an unknown tag': ({ operations }) => Object.assign(operations.getShipment, { tags: ['Parcels'] }),
  },
  'no-duplicated-tag-names': {
    'two tags of a name': ({ document }) => document.tags.push({ ...document.tags[0] }),
  },
  'no-duplicated-enum-values': {
    'an enumeration with a value twice': ({ schemas }) =>
      schemas.KnownFileKind.enum.push(schemas.KnownFileKind.enum[0]),
  },
  'no-enum-type-mismatch': {
    'a value of another type': ({ schemas }) => schemas.KnownFileKind.enum.push(1),
  },
  'no-invalid-schema-examples': {
    'an invalid example of a schema': ({ schemas }) => Object.assign(schemas.UploadId, { examples: ['upl_1'] }),
  },
  'no-invalid-parameter-examples': {
    'an invalid example of a parameter': ({ parameters }) =>
      Object.assign(parameters.ShipmentIdParameter, { example: 'ship_1' }),
  },
  'no-unsafe-markdown': {
    'a script in a description': ({ document }) => {
      document.info.description += '<script>alert(1)</script>';
    },
  },
  'no-unused-components': {
    'an unused schema': ({ schemas }) => Object.assign(schemas, { Unused: count('Unused.') }),
  },
  'security-defined': {
    'an unknown security scheme': ({ operations }) => operations.listEvents.security.push({ basic: ['events:read'] }),
  },
  'response-contains-header': {
    'a 429 without Retry-After': ({ responses }) => delete responses.TooManyRequests.headers['Retry-After'],
    'a 401 without WWW-Authenticate': ({ responses }) => delete responses.Unauthorized.headers['WWW-Authenticate'],
    'a 503 without Retry-After': ({ responses }) => delete responses.ServiceUnavailable.headers['Retry-After'],
  },
  'no-invalid-media-type-examples': {
    'an example with an unknown field': ({ examples }) =>
      Object.assign(examples.ShipmentScheduled.value, { colour: 'red' }),
  },

  'rule/no-parameter-content': {
    'a parameter in JSON': ({ parameters: { LimitParameter: limit } }) => {
      limit.content = { 'application/json': { schema: limit.schema, examples: { one: { value: 1 } } } };
      delete limit.schema;
      delete limit.example;
    },
  },
  'rule/query-parameter-type': {
    'a query parameter without a type': ({ parameters }) => delete parameters.CursorParameter.schema.type,
  },
  'rule/no-cookies': {
    'a cookie': ({ parameters }) => Object.assign(parameters.ReferenceParameter, { in: 'cookie' }),
  },
  'rule/no-dialect': {
    'a dialect': ({ document }) =>
      Object.assign(document, { jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' }),
  },
  'rule/no-keywords-ignored-by-prism': {
    unevaluatedProperties: ({ schemas }) => Object.assign(schemas.Shipment, { unevaluatedProperties: false }),
    minContains: ({ schemas }) => Object.assign(schemas.ShipmentList.properties.data, { minContains: 1 }),
    dependentRequired: ({ schemas }) => Object.assign(schemas.Shipment, { dependentRequired: { notes: ['id'] } }),
  },
  'rule/operation-id': {
    'an unknown verb': ({ operations }) => Object.assign(operations.listShipments, { operationId: 'fetchShipments' }),
  },
  'rule/property-name': {
    'a property in camelCase': ({ schemas }) =>
      Object.assign(schemas.ShipmentList.properties, { pageSize: count('Size.') }),
  },
  'rule/parameter-name': {
    'a hyphen in a parameter': ({ operations }) => {
      const description = 'How many.';
      operations.listShipments.parameters.push({
        name: 'page-size',
        in: 'query',
        description,
        schema: count(description),
      });
    },
  },
  'rule/operation-tags': {
    'an operation without tags': ({ operations }) => delete operations.getTracking.tags,
  },
  'rule/parameter-component': {
    'an inline parameter': ({ operations, parameters }) => {
      const { parameters: list } = operations.listEvents;
      const index = list.findIndex(({ $ref }) => $ref.endsWith('/WaitParameter'));
      list[index] = parameters.WaitParameter;
    },
  },
  'rule/property-description': {
    'a property without a description': ({ schemas }) => delete schemas.Shipment.properties.notes.description,
  },
  'rule/object-description': {
    'an object without a description': ({ schemas }) => delete schemas.TimelineEntry.description,
  },
  'rule/no-optional-parameter-example': {
    'an example of an optional parameter': ({ parameters }) =>
      Object.assign(parameters.CursorParameter, { example: 'a' }),
  },
  'rule/pattern-example': {
    'a pattern without an example': ({ schemas }) => delete schemas.WebhookUrl.examples,
  },
  'rule/duration': {
    'a duration in words': ({ schemas }) =>
      Object.assign(schemas.TrackingEventRequest.properties.timestamp['x-time'], { max_ahead: '5 minutes' }),
  },
  'rule/bearer': {
    'a key in the URL': ({ document }) => {
      document.components.securitySchemes.apiKey = { type: 'apiKey', in: 'query', name: 'key', description: 'A key.' };
    },
    'a password': ({ document }) => Object.assign(document.components.securitySchemes.apiKey, { scheme: 'basic' }),
  },
  'rule/path-parameter-type': {
    'a number as an identifier': ({ parameters: { UploadIdParameter: parameter } }) =>
      Object.assign(parameter, { schema: count('Number.'), example: 1 }),
  },
  'rule/server-url': {
    'a server without encryption': ({ document }) =>
      document.servers.push({ url: 'http://api.waybill.test/v1', description: 'Another.' }),
  },
  'rule/string-limit': {
    'a string without maxLength': ({ schemas }) => delete schemas.Shipment.properties.notes.maxLength,
    'a nullable string without maxLength': ({ schemas }) =>
      delete schemas.ShipmentList.properties.next_cursor.maxLength,
  },
  'rule/array-limit': {
    'an array without maxItems': ({ schemas }) => delete schemas.ProofOfDelivery.properties.photos.maxItems,
  },
  'rule/integer-limit': {
    'an integer without format': ({ schemas }) => delete schemas.ShipmentList.properties.total_count.format,
    'a parameter without a maximum': ({ parameters }) => delete parameters.WaitParameter.schema.maximum,
  },
  'rule/number-limit': {
    'a number without a minimum': ({ schemas }) => delete schemas.Latitude.minimum,
  },
  'rule/header-description': {
    'a header without a description': ({ headers }) => delete headers.Location.description,
  },
  'rule/json-examples': {
    'a response without examples': ({ operations }) =>
      delete operations.createShipment.responses[201].content['application/json'].examples,
    'an empty list of examples': ({ operations }) =>
      Object.assign(operations.createShipment.responses[201].content['application/json'], { examples: {} }),
  },
  'rule/problem-status': {
    'a problem with a status of 3xx': ({ schemas }) => {
      schemas.ProblemCode['x-problems'].headers_too_large.status = 302;
    },
  },
  'rule/status-of-every-operation': {
    'no 429': ({ operations }) => delete operations.cancelShipment.responses[429],
    'no 400': ({ operations }) => delete operations.getShipment.responses[400],
    'no 503': ({ operations }) => delete operations.listShipments.responses[503],
  },
  'rule/status-with-key': {
    'no 401 with a key': ({ operations }) => delete operations.getTracking.responses[401],
  },
  'rule/status-with-body': {
    'no 415 with a body': ({ operations }) => delete operations.createShipment.responses[415],
  },
  'rule/status-with-path-parameter': {
    'no 404 with a path parameter': ({ operations }) => delete operations.getProofFile.responses[404],
  },
  'rule/headers': {
    'a response without headers': ({ responses }) => delete responses.PayloadTooLarge.headers,
  },
  'rule/common-headers': {
    'a response without X-Request-Id': ({ responses }) => delete responses.InternalError.headers['X-Request-Id'],
  },
  'rule/rate-limit-headers': {
    'a success without RateLimit': ({ operations }) => delete operations.listEvents.responses[200].headers.RateLimit,
    'a problem without RateLimit-Policy': ({ responses }) => delete responses.NotFound.headers['RateLimit-Policy'],
  },
  'rule/error-content': {
    'an error without a body': ({ responses }) => delete responses.EventsExpired.content,
  },
  'rule/error-type': {
    'an error of another type': ({ responses }) => {
      const { content } = responses.NotFound;
      responses.NotFound.content = { 'application/json': content['application/problem+json'] };
    },
  },
  'rule/error-schema': {
    'an error of another shape': ({ responses, schemas }) => {
      responses.LinkExpired.content['application/problem+json'].schema = structuredClone(schemas.Problem);
    },
  },
  'rule/no-path-parameters': {
    'parameters of a path': ({ paths }) => {
      paths['/tracking/{tracking_number}'].parameters = paths['/tracking/{tracking_number}'].get.parameters;
    },
  },
  'rule/security': {
    'security left to the default': ({ operations }) => delete operations.getShipment.security,
    'several alternatives': ({ operations }) => operations.listEvents.security.push({}, {}),
  },
  'rule/one-scope': {
    'no scope': ({ operations }) => Object.assign(operations.cancelShipment, { security: [{ apiKey: [] }] }),
    'two scopes': ({ operations }) =>
      Object.assign(operations.getShipment, { security: [{ apiKey: ['shipments:read', 'tracking:read'] }] }),
  },
  'rule/read-scope': {
    'a read with a scope for writing': ({ operations }) =>
      Object.assign(operations.getTracking, { security: [{ apiKey: ['tracking:write'] }] }),
  },
  'rule/write-scope': {
    'a write with a scope for reading': ({ operations }) =>
      Object.assign(operations.recordTrackingEvent, { security: [{ apiKey: ['tracking:read'] }] }),
  },

  'waybill/closed-bodies': {
    'an open object, deep in a body': ({ schemas }) => delete schemas.AddressRequest.additionalProperties,
    'an unlimited number of fields': ({ schemas }) => {
      const additionalProperties = count('Quantity.');
      schemas.ShipmentRequest.properties.goods = {
        type: 'object',
        description: 'Quantity of each item.',
        additionalProperties,
      };
    },
  },
  'waybill/open-responses': {
    'a closed object, deep in a response': ({ schemas }) =>
      Object.assign(schemas.CurrentLocation, { additionalProperties: false }),
  },
  'waybill/text-pattern': {
    'free text, deep in a body': ({ schemas }) => delete schemas.AddressRequest.properties.city.pattern,
  },
  'waybill/changed-fields': {
    'a field without a status until which it changes': ({ schemas }) => {
      const properties = { colour: { enum: ['red'], description: 'Colour.' } };
      Object.assign(schemas.ShipmentChanges.properties, properties);
    },
    'a field of an address without a status until which it changes': ({ schemas }) =>
      schemas.ShipmentStatus['x-changes'][0].fields.shift(),
  },
  'waybill/deprecations': {
    'an operation without a sunset': ({ operations }) => Object.assign(operations.listEvents, { deprecated: true }),
    'a field that is not marked': ({ schemas }) =>
      Object.assign(schemas.Shipment.properties.notes, { 'x-deprecation': deprecation }),
    'a sunset eleven months later': ({ headers }) => deprecate(headers.ETag, { sunset: '2027-12-31' }),
    'a day that does not exist': ({ parameters }) =>
      deprecate(parameters.CursorParameter, { since: '2027-02-29', sunset: '2029-01-31' }),
    'a value that does not exist': ({ schemas }) =>
      Object.assign(schemas.FileKind, { 'x-enumDeprecations': { video: deprecation } }),
  },
  'waybill/enum-descriptions': {
    'a status without a description': ({ schemas }) => delete schemas.ShipmentStatus['x-enumDescriptions'].delivered,
  },
  'waybill/request-timestamps': {
    'a timestamp of any year': ({ schemas }) => delete schemas.PickupWindowRequest.properties.start.pattern,
    'a date of any year': ({ parameters }) => delete parameters.FromDateParameter.schema.anyOf[0].pattern,
  },
};
