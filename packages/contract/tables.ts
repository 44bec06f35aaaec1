import { milliseconds } from './duration.ts';

/** The specification extensions and limits of `spec/`, as TypeScript tables. */

/** The parts of the bundled document that the tables are made from. */
export interface Document {
  servers: [{ url: string; variables: Record<string, { default: string }> }];
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
      EventType: { enum: string[]; 'x-event-data': object };
      Problem: { properties: { errors: { maxItems: number } } };
      ProofUploadRequest: { properties: { size: { maximum: number } } };
      ProblemCode: { 'x-problems': Record<string, { members?: string[] }> };
    };
    parameters: Record<string, { name: string; in: string }> & { LimitParameter: { schema: { default: number } } };
    securitySchemes: { apiKey: { 'x-scopes': Record<string, string> } };
  };
}

interface Operation {
  operationId: string;
  security: { apiKey?: string[] }[];
  parameters?: { $ref: string }[];
}

function operationRows({ paths, components }: Document): Record<string, unknown> {
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

function maxBeforePreviousTable({ components }: Document): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {};
  const schemas = components.schemas as Record<string, { properties?: Record<string, object> }>;
  for (const [schema, { properties = {} }] of Object.entries(schemas)) {
    for (const [property, extensions] of Object.entries(properties)) {
      const duration = (extensions as Record<string, string>)['x-max-before-previous'];
      if (duration !== undefined) table[schema] = { ...table[schema], [property]: milliseconds(duration) };
    }
  }
  return table;
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
  const { parameters, schemas, securitySchemes } = document.components;
  const scopes = securitySchemes.apiKey['x-scopes'];
  return {
    'operations.ts': `/** The default base URL. Its path is the major version. */
${constant('defaultBaseUrl', 'string', defaultUrl(document.servers[0]))}
/** Operation id → method, path, required scope (null: a signed URL instead of an API key) and header parameters. */
export const operationTable = ${JSON.stringify(operationRows(document), null, 2)} as const;
`,

    'lifecycle.ts': `import type { operationTable } from './operations.ts';
${types('components', 'ShipmentStatus')}/** A possible status change. \`from\` is null for the creation of a shipment. */
export interface Transition {
  from: ShipmentStatus | null;
  to: ShipmentStatus;
  operation: keyof typeof operationTable;
  /** Default description of the timeline entry. */
  description: string;
}

${constant('transitions', 'Transition[]', schemas.ShipmentStatus['x-transitions'])}
${constant('statuses', 'Record<ShipmentStatus, string>', schemas.ShipmentStatus['x-enumDescriptions'])}
/** Status → whether positions also update the current location (\`move\`) or are only stored (\`keep\`). Other statuses accept none. */
${constant('positionRules', "Partial<Record<ShipmentStatus, 'move' | 'keep'>>", schemas.ShipmentStatus['x-positions'])}`,

    'events.ts': `/** Event type → the property of \`data\` that its events have. */
export const eventData = ${JSON.stringify(schemas.EventType['x-event-data'], null, 2)} as const;
`,

    'limits.ts': `/** Maximum bytes of a JSON body. */
${constant('maxBodyBytes', 'number', document['x-max-body'])}
/** Maximum bytes of a file. */
${constant('maxFileBytes', 'number', schemas.ProofUploadRequest.properties.size.maximum)}
/** Entries of a page when the request has no \`limit\`. */
${constant('defaultPageSize', 'number', parameters.LimitParameter.schema.default)}
/** Maximum number of invalid fields in a problem. */
${constant('maxFieldErrors', 'number', schemas.Problem.properties.errors.maxItems)}
/** Schema → property → how far its timestamp may be before the previous event, in milliseconds. */
export const maxBeforePrevious = ${JSON.stringify(maxBeforePreviousTable(document), null, 2)} as const;
`,

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
