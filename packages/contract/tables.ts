import { milliseconds } from './duration.ts';

/** The specification extensions and limits of `spec/`, as TypeScript tables. */

/** The parts of the bundled document that the tables are made from. */
export interface Document {
  servers: [{ url: string }];
  'x-max-body': number;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: {
      ShipmentStatus: {
        enum: string[];
        'x-enumDescriptions': Record<string, string>;
        'x-transitions': unknown[];
        'x-positions': object;
      };
      ProblemCode: { 'x-problems': Record<string, unknown> };
    };
    parameters: Record<string, { name: string; in: string }> & { limit: { schema: { default: number } } };
    headers: { 'X-Request-Id': { schema: { pattern: string } } };
    securitySchemes: { apiKey: { 'x-scopes': Record<string, string> } };
  };
}

interface Operation {
  operationId: string;
  security: { apiKey?: string[] }[];
  parameters?: { $ref: string }[];
}

/** Operation id → method, path, the scope it needs (null: none, its URL is signed) and the headers it takes. */
function operationTable({ paths, components }: Document): Record<string, unknown> {
  const named = (parameter: { $ref: string }) => components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
  const table: Record<string, unknown> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, security, parameters = [] }] of Object.entries(methods)) {
      const scope = security[0]?.apiKey?.[0] ?? null;
      const headers = parameters.map(named).flatMap((parameter) => (parameter?.in === 'header' ? parameter.name : []));
      table[operationId] = { method: method.toUpperCase(), path, scope, headers };
    }
  }
  return table;
}

const timeLimits = { 'x-max-ahead': 'maxAhead', 'x-max-age': 'maxAge', 'x-max-before-previous': 'maxBeforePrevious' };

/** Schema → property → limit → milliseconds. */
function timeLimitTable({ components }: Document): Record<string, Record<string, Record<string, number>>> {
  const table: Record<string, Record<string, Record<string, number>>> = {};
  const schemas = components.schemas as Record<string, { properties?: Record<string, object> }>;
  for (const [schema, { properties = {} }] of Object.entries(schemas)) {
    for (const [property, words] of Object.entries(properties)) {
      for (const [word, limit] of Object.entries(timeLimits)) {
        const duration = (words as Record<string, string>)[word];
        if (duration === undefined) continue;
        table[schema] ??= {};
        table[schema][property] ??= {};
        table[schema][property][limit] = milliseconds(duration);
      }
    }
  }
  return table;
}

const constant = (name: string, type: string, value: unknown): string =>
  `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;

const types = (imports: string, ...names: string[]): string => `import type { ${imports} } from './types.ts';

${names.map((name) => `type ${name} = components['schemas']['${name}'];`).join('\n')}

`;

/** File name → TypeScript source, without the banner. */
export function tables(document: Document): Record<string, string> {
  const { headers, parameters, schemas, securitySchemes } = document.components;
  const scopes = securitySchemes.apiKey['x-scopes'];
  return {
    'operations.ts': `/** Where the service is when nobody says otherwise; its path is the major version. */
${constant('defaultBaseUrl', 'string', document.servers[0].url)}
export const operations = ${JSON.stringify(operationTable(document), null, 2)} as const;
`,

    'lifecycle.ts': `${types('components, operations', 'ShipmentStatus')}/** One step of a shipment's life; \`from\` is null for its beginning. */
export interface Transition {
  from: ShipmentStatus | null;
  to: ShipmentStatus;
  operation: keyof operations;
  /** What the timeline says when the caller gives no words of its own. */
  description: string;
}

${constant('transitions', 'Transition[]', schemas.ShipmentStatus['x-transitions'])}
${constant('statuses', 'Record<ShipmentStatus, string>', schemas.ShipmentStatus['x-enumDescriptions'])}
/** Status → whether positions move the current location or are only kept; the others take none. */
${constant('positions', "Partial<Record<ShipmentStatus, 'move' | 'keep'>>", schemas.ShipmentStatus['x-positions'])}`,

    'limits.ts': `/** Bytes of a JSON body. */
${constant('maxBodyBytes', 'number', document['x-max-body'])}
/** Entries of a page when the request has no \`limit\`. */
${constant('defaultPageSize', 'number', parameters.limit.schema.default)}
/** What a caller's own \`X-Request-Id\` must match to be used. */
${constant('requestIdPattern', 'string', headers['X-Request-Id'].schema.pattern)}
/** Schema → property → how far its time may lie from now (or from the previous event), in milliseconds. */
export const timeLimits = ${JSON.stringify(timeLimitTable(document), null, 2)} as const;
`,

    'problems.ts': `${types('components', 'ProblemCode')}/** A row of the error catalogue. */
export interface ProblemKind {
  status: number;
  title: string;
  description: string;
}

${constant('problems', 'Record<ProblemCode, ProblemKind>', schemas.ProblemCode['x-problems'])}`,

    'scopes.ts': `/** What a key may be allowed to do. */
export type Scope = ${Object.keys(scopes)
      .map((scope) => `'${scope}'`)
      .join(' | ')};

${constant('scopes', 'Record<Scope, string>', scopes)}`,
  };
}
