const count = (description) => ({ type: 'integer', description, minimum: 0, maximum: 9 });

/** Rule → violation → how to change the bundled contract. The function gets the operations by id and the components. */
export const violations = {
  struct: {
    'a response without a description': ({ responses }) => delete responses.NotFound.description,
    'a nullable schema': ({ schemas }) => Object.assign(schemas.Shipment.properties.notes, { nullable: true }),
    'a problem without a title': ({ schemas }) => delete schemas.ProblemCode['x-problems'].headers_too_large.title,
    'a problem without a description': ({ schemas }) =>
      delete schemas.ProblemCode['x-problems'].headers_too_large.description,
    'a transition without a description': ({ schemas }) =>
      delete schemas.ShipmentStatus['x-transitions'][4].description,
    'an unknown effect of positions': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-transitions'][4], { positions: 'delete' }),
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
  'response-contains-header': {
    'a 401 without WWW-Authenticate': ({ responses }) => delete responses.Unauthorized.headers['WWW-Authenticate'],
    'a 503 without Retry-After': ({ responses }) => delete responses.ServiceUnavailable.headers['Retry-After'],
  },
  'no-invalid-media-type-examples': {
    'an example with an unknown field': ({ examples }) =>
      Object.assign(examples.ShipmentScheduled.value, { colour: 'red' }),
    'an example in another format': ({ examples }) =>
      Object.assign(examples.ShipmentScheduled.value, { created_at: 'yesterday' }),
    'a problem example of an unknown code': ({ examples }) =>
      Object.assign(examples.rate_limited.value, { code: 'nowhere' }),
  },

  'rule/no-parameter-content': {
    'a parameter with explode': ({ parameters }) => Object.assign(parameters.LimitParameter, { explode: false }),
    'a parameter in JSON': ({ parameters: { LimitParameter: limit } }) => {
      limit.content = { 'application/json': { schema: limit.schema, examples: { one: { value: 1 } } } };
      delete limit.schema;
      delete limit.example;
    },
  },
  'rule/scalar-query-parameters': {
    'a list as a query parameter': ({ parameters: { LimitParameter: limit } }) => {
      limit.schema = { type: 'array', maxItems: 3, items: limit.schema };
      delete limit.example;
    },
    'a query parameter without a type': ({ parameters }) => delete parameters.CursorParameter.schema.type,
  },
  'rule/no-cookies': {
    'a cookie': ({ parameters }) => Object.assign(parameters.ReferenceParameter, { in: 'cookie' }),
  },
  'rule/no-discriminator': {
    'a discriminator': ({ schemas }) => Object.assign(schemas.FieldError, { discriminator: { propertyName: 'code' } }),
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
    'no noun': ({ operations }) => Object.assign(operations.listShipments, { operationId: 'list' }),
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
    'no 400': ({ operations }) => delete operations.getShipment.responses[400],
    'no 500': ({ operations }) => delete operations.listShipments.responses[500],
    'no 503': ({ operations }) => delete operations.listShipments.responses[503],
  },
  'rule/status-with-key': {
    'no 401 with a key': ({ operations }) => delete operations.getTracking.responses[401],
    'no 403 with a key': ({ operations }) => delete operations.getTracking.responses[403],
  },
  'rule/status-with-body': {
    'no 413 with a body': ({ operations }) => delete operations.putProofFile.responses[413],
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
    'an error in two types': ({ responses }) => {
      const { content } = responses.NotFound;
      content['application/json'] = structuredClone(content['application/problem+json']);
    },
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
    'several alternatives': ({ operations }) => operations.putProofFile.security.push({}, {}, {}),
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

  'waybill/bounded-schemas': {
    'a string without maxLength': ({ schemas }) => delete schemas.Shipment.properties.notes.maxLength,
    'a nullable string without maxLength': ({ schemas }) =>
      delete schemas.ShipmentList.properties.next_cursor.maxLength,
    'an array without maxItems': ({ schemas }) => delete schemas.ProofOfDelivery.properties.photos.maxItems,
    'a number without a minimum, deep in a body': ({ schemas }) => delete schemas.Latitude.minimum,
    'a parameter without a maximum': ({ parameters }) => delete parameters.LimitParameter.schema.maximum,
    'a timestamp of any year': ({ schemas }) => delete schemas.PickupWindowRequest.properties.start.pattern,
    'a date of any year': ({ parameters }) => delete parameters.FromDateParameter.schema.anyOf[0].pattern,
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
  'waybill/component-names': {
    'a parameter under another name': ({ operations, parameters }) => {
      parameters.StateParameter = parameters.StatusParameter;
      delete parameters.StatusParameter;
      const used = operations.listShipments.parameters.find(({ $ref }) => $ref.endsWith('/StatusParameter'));
      used.$ref = '#/components/parameters/StateParameter';
    },
    'a header under another name': ({ responses }) =>
      Object.assign(responses.NotFound.headers, { 'Content-Location': { $ref: '#/components/headers/Location' } }),
  },
  'waybill/described-schemas': {
    'a component without a description': ({ schemas }) => delete schemas.ShipmentType.description,
    'a property without a description': ({ schemas }) => delete schemas.Shipment.properties.notes.description,
  },
  'waybill/enum-tables': {
    'problems in another order': ({ schemas }) => schemas.ProblemCode.enum.reverse(),
    'a problem that is not in enum': ({ schemas: { ProblemCode } }) => {
      ProblemCode['x-problems'].lost = { status: 405, title: 'Lost', description: 'Lost.' };
    },
    'a status without a description': ({ schemas }) => delete schemas.ShipmentStatus['x-enumDescriptions'].delivered,
  },
  'waybill/event-types': {
    'variants in another order': ({ schemas }) => schemas.Event.oneOf.reverse(),
  },
  'waybill/list-parameters': {
    'a type that the pattern does not have': ({ parameters: { TypesParameter } }) => {
      TypesParameter.schema.pattern = TypesParameter.schema.pattern.replaceAll('|webhook_endpoint\\.test', '');
    },
    'a status that the pattern does not have': ({ parameters: { StatusParameter } }) => {
      StatusParameter.schema.pattern = StatusParameter.schema.pattern.replaceAll('|cancelled', '');
    },
  },
  'waybill/lifecycle': {
    'a transition from an unknown status': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-transitions'][4], { from: 'lost' }),
    'a transition to an unknown status': ({ schemas }) =>
      schemas.ShipmentStatus['x-transitions'].push({
        ...{ from: 'scheduled', to: 'lost', operation: 'createShipment', description: 'Lost' },
      }),
    'a transition by an unknown operation': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-transitions'][4], { operation: 'deliverShipment' }),
    'an unreachable status': ({ schemas: { ShipmentStatus } }) => {
      ShipmentStatus['x-transitions'] = ShipmentStatus['x-transitions'].filter(({ to }) => to !== 'delivered');
    },
    'two initial transitions': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-transitions'][4], { from: null }),
    'no initial transition': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-transitions'][0], { from: 'delivered' }),
    'different effects of positions on a status': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-transitions'][5], { positions: 'keep' }),
    'a field without a status until which it changes': ({ schemas }) => {
      schemas.ShipmentChanges.properties.colour = {
        type: 'string',
        maxLength: 9,
        pattern: '^(a)$',
        description: 'It.',
      };
    },
    'a field of an address without a status until which it changes': ({ schemas }) =>
      schemas.ShipmentStatus['x-changes'][0].fields.shift(),
    'a change until an unknown status': ({ schemas }) =>
      Object.assign(schemas.ShipmentStatus['x-changes'][1], { until: 'lost' }),
    'a status that an event cannot record': ({ schemas }) => schemas.EventStatus.enum.push('delivered'),
  },
  'waybill/local-refs': {
    'a component from the network': ({ operations }) => {
      const { content } = operations.getProofFile.responses[200];
      content['image/png'] = { schema: { $ref: 'http://localhost:1/Image.yaml' } };
    },
  },
  'waybill/plain-path-refs': {
    'a keyword beside the reference of a path': ({ document, paths }) => {
      document.components.pathItems = { shipments: paths['/shipments'] };
      paths['/shipments'] = { $ref: '#/components/pathItems/shipments', summary: 'Shipments' };
    },
  },
  'waybill/problem-examples': {
    'another title': ({ examples }) => Object.assign(examples.not_found.value, { title: 'Gone' }),
    'another type': ({ examples }) =>
      Object.assign(examples.not_found.value, { type: 'tag:waybill-freight.github.io,2026:gone' }),
    'a member that is missing': ({ examples }) => delete examples.reference_taken.value.shipment_id,
    'a member that the code does not have': ({ examples }) =>
      Object.assign(examples.not_found.value, { current_status: 'scheduled' }),
    'another status in the example': ({ examples }) => Object.assign(examples.not_found.value, { status: 410 }),
    'an example under another status': ({ responses }) =>
      Object.assign(responses.NotFound.content['application/problem+json'].examples, {
        link_expired: { $ref: '#/components/examples/link_expired' },
      }),
    'a problem code without an example': ({ responses }) =>
      delete responses.ReferenceTaken.content['application/problem+json'].examples.reference_taken,
  },
  'waybill/time-rules': {
    'after an unknown property': ({ schemas }) =>
      Object.assign(schemas.PickupWindowRequest.properties.end, { 'x-time': { after: 'begin' } }),
    'not before an unknown parameter': ({ parameters }) =>
      Object.assign(parameters.ToDateParameter.schema, { 'x-time': { not_before: 'since' } }),
    'a rule on a list item': ({ schemas }) =>
      Object.assign(schemas.ProofOfDelivery.properties.photos.items, { 'x-time': { after: 'signed_by' } }),
    'a duration in words': ({ schemas }) =>
      Object.assign(schemas.TrackingEventRequest.properties.timestamp, { 'x-time': { max_ahead: '5 minutes' } }),
    'an unknown rule': ({ schemas }) =>
      Object.assign(schemas.TrackingEventRequest.properties.timestamp, { 'x-time': { max_age: 'PT5M' } }),
  },
  'waybill/parameter-examples': {
    'an example of an optional parameter': ({ document }) =>
      Object.assign(document.components.parameters.CursorParameter, { example: 'a' }),
    'an example in the schema of an optional parameter': ({ document }) =>
      Object.assign(document.components.parameters.CursorParameter.schema, { examples: ['a'] }),
  },
  'waybill/pattern-examples': {
    'a pattern without an example': ({ schemas }) => delete schemas.UploadId.examples,
  },
  'waybill/text-pattern': {
    'free text, deep in a body': ({ schemas }) => delete schemas.AddressRequest.properties.city.pattern,
  },
};
