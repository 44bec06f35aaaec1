/** The specification extensions and limits of `spec/`, as TypeScript tables. */

/** The parts of the bundled document that the tables are made from. */
export interface Document {
  servers: [{ url: string; variables: Record<string, { default: string }> }];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: {
      ShipmentStatus: {
        'x-enumDescriptions': Record<string, string>;
        'x-lifecycle': Record<string, LifecycleRow>;
        'x-changes': object[];
      };
      ExceptionCode: { 'x-exceptions': Record<string, object> };
      DocumentList: { properties: { data: { maxItems: number } } };
      AddressRequest: { 'x-required-in': Record<string, string[]> };
      AccessList: { properties: { data: { maxItems: number } } };
      WebhookAttempt: { properties: { error: { maxLength: number } } };
      WebhookEndpointList: { properties: { data: { maxItems: number } } };
      WebhookResponse: { properties: { body: { maxLength: number } } };
      WebhookSecretRotation: { properties: { previous_valid_hours: { default: number } } };
      WebhookUrl: { maxLength: number };
      AccessRequest: { properties: { name: { pattern: string }; expires_at: { 'x-time': { max_ahead: string } } } };
      Event: { oneOf: { $ref: string }[] };
      Problem: { properties: { errors: { maxItems: number } } };
      TrackingStatus: { properties: { exceptions: { maxItems: number }; timeline: { maxItems: number } } };
      PositionReport: { properties: { updated_at: { 'x-time': { max_ahead_of_item: string } } } };
      ProofUploadRequest: { properties: { size: { maximum: number } } };
      ProofUploadList: { properties: { data: { maxItems: number } } };
      ShipmentWithHandoverCode: { properties: { dispatcher_phone: { maxLength: number } } };
      ShipmentList: { properties: { total_count: { maximum: number } } };
      ShipmentRequest: { properties: { references: { maxItems: number } } };
      ProblemCode: { 'x-problems': Record<string, { members?: string[] }> };
    };
    parameters: Record<string, { name: string; in: string }> & { LimitParameter: { schema: { default: number } } };
    securitySchemes: { apiKey: { description: string } };
  };
}

interface LifecycleRow {
  rank: number;
  from?: string[];
  operations: string[];
  description: string;
  positions?: string;
  resolves?: string[];
}

interface EventVariant {
  description: string;
  properties: { type: { const: string }; data: { $ref: string } };
}

interface Operation {
  operationId: string;
  security: { apiKey?: string[]; accessToken?: string[] }[];
  parameters?: { $ref: string }[];
  responses: Record<string, { content?: { 'application/json'?: { schema: { $ref: string } } } }>;
}

function operationRows({ paths, components }: Document): Record<string, unknown> {
  const named = (parameter: { $ref: string }) => components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
  const schemas = components.schemas as unknown as Record<string, { required: string[] }>;
  const table: Record<string, unknown> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, security, parameters = [], responses }] of Object.entries(methods)) {
      const scope = security[0]?.apiKey?.[0] ?? null;
      const ofAccess = security[1]?.accessToken?.[0];
      if (
        security.length > 0 &&
        (scope === null || ![undefined, scope].includes(ofAccess) || security.length > (ofAccess ? 2 : 1))
      )
        throw new Error(`Set \`apiKey\` in ${operationId}, and after it at most \`accessToken\` with the same scope.`);
      const headers = parameters.map(named).flatMap((parameter) => (parameter?.in === 'header' ? parameter.name : []));
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
      const [, result = ''] = success?.content?.['application/json']?.schema.$ref.split('schemas/') ?? [];
      table[operationId] = {
        ...{ method: method.toUpperCase(), path, scope, access: ofAccess !== undefined, headers },
        // The first one: those that later versions add are not in the responses of earlier ones.
        member: schemas[result]?.required[0] ?? null,
      };
    }
  }
  return table;
}

/** A row of the lifecycle, with the statuses that it can follow: by default all of a lower rank. */
const statusRule = ({ positions: _, ...row }: LifecycleRow, all: [string, LifecycleRow][]) => ({
  ...row,
  from: row.from ?? all.flatMap(([status, { rank }]) => (rank < row.rank ? status : [])),
  resolves: row.resolves ?? [],
});

/**
 * Scope → what it permits, from the table in the description of the security scheme.
 *
 * @throws {Error} when the table does not have exactly the scopes of the operations
 */
function scopeTable({ paths, components }: Document): Record<string, string> {
  const rows = components.securitySchemes.apiKey.description.matchAll(/^\| `(.+?)` +\| (.+?) +\|$/gm);
  const table = Object.fromEntries([...rows].map(([, scope, text]) => [scope, text]));
  const used = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ security }) => security[0]?.apiKey ?? []),
  );
  const missing = used.find((scope) => !(scope in table));
  const unused = Object.keys(table).find((scope) => !used.includes(scope));
  if (missing) throw new Error(`Add \`${missing}\` to the table of scopes in spec/openapi.yaml.`);
  if (unused) throw new Error(`Remove \`${unused}\` from the table of scopes in spec/openapi.yaml, or use it.`);
  return table;
}

interface EventRow {
  type: string;
  meaning: string;
  /** The property of `data`, and the schema that has it. */
  data: string;
  schema: string;
}

/** The variants of `Event`. */
function eventRows({ components }: Document): EventRow[] {
  const schemas = components.schemas as unknown as Record<string, EventVariant & { required: string[] }>;
  const nameOf = ({ $ref }: { $ref: string }) => $ref.split('/').at(-1) ?? '';
  return components.schemas.Event.oneOf.flatMap((variant) => {
    const { description: meaning, properties } = schemas[nameOf(variant)] ?? {};
    if (!meaning || !properties) return []; // the compiler requires a meaning of each type
    const schema = nameOf(properties.data);
    return { type: properties.type.const, meaning, data: schemas[schema]?.required[0] ?? '', schema };
  });
}

/** The URL of a server with the default of each variable. */
const defaultUrl = ({ url, variables }: Document['servers'][0]): string =>
  url.replace(/{(\w+)}/g, (_, name) => variables[name]?.default ?? '');

const constant = (name: string, type: string, value: unknown): string =>
  `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;

const types = (imports: string, ...names: string[]): string => `import type { ${imports} } from './types.ts';

${names.map((name) => `type ${name} = components['schemas']['${name}'];`).join('\n')}

`;

/** File name → TypeScript source, without the banner. */
export function tables(document: Document): Record<string, string> {
  const { parameters, schemas } = document.components;
  const scopes = scopeTable(document);
  const events = eventRows(document);
  const dataSchemas = Object.fromEntries(events.map(({ data, schema }) => [data, schema]));
  const lifecycle = Object.entries(schemas.ShipmentStatus['x-lifecycle']);
  return {
    'operations.ts': `/** The default base URL. Its path is the major version. */
${constant('defaultBaseUrl', 'string', defaultUrl(document.servers[0]))}
/** Operation id → method, path, required scope (null: a signed URL instead of an API key), whether it accepts access tokens, header parameters, and a member that the JSON of each success has. */
export const operationTable = ${JSON.stringify(operationRows(document), null, 2)} as const;
`,

    'addresses.ts': `/** Field of an address → the countries whose addresses need it. */
${constant('requiredIn', "Record<'state' | 'zip', string[]>", schemas.AddressRequest['x-required-in'])}`,

    'lifecycle.ts': `import type { operationTable } from './operations.ts';
${types('components', 'ExceptionCode', 'ShipmentStatus')}/** What a status is. */
export interface StatusRule {
  /** The status of a shipment is the recorded one with the highest rank. */
  rank: number;
  /** The statuses that it can follow. */
  from: ShipmentStatus[];
  /** The operations that record it. */
  operations: (keyof typeof operationTable)[];
  /** Default description of the timeline entry. */
  description: string;
  /** The codes of exceptions that it ends. */
  resolves: ExceptionCode[];
}

${constant(
  'lifecycle',
  'Record<ShipmentStatus, StatusRule>',
  Object.fromEntries(lifecycle.map(([status, row]) => [status, statusRule(row, lifecycle)])),
)}
/** Fields that \`updateShipment\` changes in each status from which \`until\` can be reached. */
export interface ChangeRow {
  until: ShipmentStatus;
  /** What the fields are, for people. */
  description: string;
  /** JSON pointers into the request. */
  fields: string[];
}

${constant('changes', 'ChangeRow[]', schemas.ShipmentStatus['x-changes'])}
${constant('statuses', 'Record<ShipmentStatus, string>', schemas.ShipmentStatus['x-enumDescriptions'])}
/** Status → whether positions also update the current location (\`move\`) or are only stored (\`keep\`). Other statuses accept none. */
${constant(
  'positionRules',
  "Partial<Record<ShipmentStatus, 'move' | 'keep'>>",
  Object.fromEntries(lifecycle.flatMap(([status, { positions }]) => (positions ? [[status, positions]] : []))),
)}`,

    'events.ts': `import type { components } from './types.ts';

type Schemas = components['schemas'];

/** The data of an event of any type. It has the property of its type. */
export interface EventData {
${Object.entries(dataSchemas)
  .map(([data, schema]) => `  ${data}?: Schemas['${schema}']['${data}'];`)
  .join('\n')}
}

/** Event type → the property of \`data\` that its events have. */
export const eventData = ${JSON.stringify(Object.fromEntries(events.map(({ type, data }) => [type, data])), null, 2)} as const;

${constant('eventMeanings', "Record<Schemas['EventType'], string>", Object.fromEntries(events.map(({ type, meaning }) => [type, meaning])))}`,

    'exceptions.ts': `${types('components', 'ExceptionCode', 'ShipmentException')}/** What the code of an exception says of it. */
export interface ExceptionKind {
  severity: ShipmentException['severity'];
  responsible: ShipmentException['responsible_party'];
  next: ShipmentException['next_steps'];
  /** The statuses in which it can be raised. */
  statuses: ShipmentException['shipment_status'][];
}

${constant('exceptionKinds', 'Record<ExceptionCode, ExceptionKind>', schemas.ExceptionCode['x-exceptions'])}`,

    'limits.ts': `/** Maximum bytes of a file. */
${constant('maxFileBytes', 'number', schemas.ProofUploadRequest.properties.size.maximum)}
/** Entries of a page when the request has no \`limit\`. */
${constant('defaultPageSize', 'number', parameters.LimitParameter.schema.default)}
/** Maximum number of invalid fields in a problem. */
${constant('maxFieldErrors', 'number', schemas.Problem.properties.errors.maxItems)}
/** Maximum exceptions of a shipment. */
${constant('maxExceptions', 'number', schemas.TrackingStatus.properties.exceptions.maxItems)}
/** Maximum accesses of a shipment that have not expired. */
${constant('maxAccesses', 'number', schemas.AccessList.properties.data.maxItems)}
/** Maximum documents of a shipment. */
${constant('maxDocuments', 'number', schemas.DocumentList.properties.data.maxItems)}
/** Maximum webhook endpoints of an account. */
${constant('maxEndpoints', 'number', schemas.WebhookEndpointList.properties.data.maxItems)}
/** Maximum characters of the URL of a webhook endpoint. */
${constant('maxEndpointUrl', 'number', schemas.WebhookUrl.maxLength)}
/** Hours for which a replaced secret of a webhook endpoint signs when the request has none. */
${constant('defaultPreviousHours', 'number', schemas.WebhookSecretRotation.properties.previous_valid_hours.default)}
/** Maximum characters of the body and of the error of an attempt to send a webhook. */
${constant('maxAttemptBody', 'number', schemas.WebhookResponse.properties.body.maxLength)}
${constant('maxAttemptError', 'number', schemas.WebhookAttempt.properties.error.maxLength)}
/** Maximum uploads of a list. */
${constant('maxListedUploads', 'number', schemas.ProofUploadList.properties.data.maxItems)}
/** Maximum references of a shipment. */
${constant('maxReferences', 'number', schemas.ShipmentRequest.properties.references.maxItems)}
/** The largest number that the shipments of a list are counted to. */
${constant('maxTotalCount', 'number', schemas.ShipmentList.properties.total_count.maximum)}
/** How far ahead an access expires at most, as an ISO 8601 duration. */
${constant('maxAccessAhead', 'string', schemas.AccessRequest.properties.expires_at['x-time'].max_ahead)}
/** Of one line of text with a visible character, for a regular expression with the flag \`u\`. */
${constant('linePattern', 'string', schemas.AccessRequest.properties.name.pattern)}
/** Maximum characters of the phone number of a dispatcher. */
${constant('maxPhoneLength', 'number', schemas.ShipmentWithHandoverCode.properties.dispatcher_phone.maxLength)}
/** How far the timestamp of a position may be ahead of now, as an ISO 8601 duration. */
${constant('maxPositionAhead', 'string', schemas.PositionReport.properties.updated_at['x-time'].max_ahead_of_item)}
/** Maximum entries of a timeline. */
${constant('maxTrackingEvents', 'number', schemas.TrackingStatus.properties.timeline.maxItems)}`,

    'problems.ts': `${types('components', 'ProblemCode')}/** A row of the error catalogue. */
export interface ProblemKind {
  status: number;
  title: string;
  description: string;
  /** Additional members of the problem. */
  members?: string[];
}

/** Code → the names of the additional members that its problems always have. */
export interface ProblemMembers {
${Object.entries(schemas.ProblemCode['x-problems'])
  .flatMap(([code, { members = [] }]) => (members.length > 0 ? [`  ${code}: '${members.join("' | '")}';`] : []))
  .join('\n')}
}

${constant('problems', 'Record<ProblemCode, ProblemKind>', schemas.ProblemCode['x-problems'])}`,

    'scopes.ts': `/** A permission of an API key. */
export type Scope = ${Object.keys(scopes)
      .map((scope) => `'${scope}'`)
      .join(' | ')};

${constant('scopes', 'Record<Scope, string>', scopes)}`,
  };
}
