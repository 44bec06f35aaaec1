import { defaultBaseUrl } from '@waybill/contract/operations';
import {
  bodyOf,
  type Document,
  isStream,
  nameIn,
  type OperationRow,
  operationsOf,
  parametersIn,
  takesHeader,
} from './document.ts';

/** What the client has to know of an operation at run time. Absent members are false or empty. */
function row({ components }: Document, operation: OperationRow): Record<string, unknown> {
  const query = parametersIn(operation, 'query').map(({ name }) => name);
  const body = bodyOf(operation);
  const { properties = {}, required = [] } =
    body && body !== 'file' ? (components.schemas[nameIn(body.$ref ?? '')] ?? {}) : {};
  return {
    method: operation.method,
    path: operation.path,
    ...(operation.scope === null && { signed: true }),
    ...(isStream(operation) && { stream: true }),
    ...(query.length > 0 && { query }),
    ...(body && {
      body:
        body === 'file'
          ? {}
          : Object.fromEntries(Object.keys(properties).map((name) => [name, required.includes(name)])),
    }),
    ...(takesHeader(operation, 'Idempotency-Key') && { keyed: true }),
    ...(takesHeader(operation, 'If-None-Match') && { conditional: true }),
  };
}

/** The tables that the client needs at run time. */
export function operationTable(document: Document): string {
  const { schemas } = document.components;
  const { enum: statuses = [], 'x-transitions': transitions = [] } = schemas.ShipmentStatus ?? {};
  const next = statuses.map((status) => [
    status,
    transitions.filter(({ from }) => from === status).map(({ to }) => to),
  ]);
  const members = Object.values(schemas.ProblemCode?.['x-problems'] ?? {}).flatMap(({ members = [] }) => members);
  const rows = operationsOf(document).map((operation) => [operation.operationId, row(document, operation)]);
  const constant = (name: string, type: string, value: unknown): string =>
    `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;
  return `import type { OperationId } from './operations.ts';

/** The version of the contract, which is that of the package. */
${constant('version', 'string', document.info.version)}
/** The default base URL. Its path is the major version. */
${constant('defaultBaseUrl', 'string', defaultBaseUrl)}
/** The size of the largest file, in bytes. */
${constant('maxFileBytes', 'number', document.components.schemas.ProofUploadRequest?.properties?.size?.maximum)}
export interface OperationRow {
  method: string;
  path: string;
  /** The request needs a signed URL instead of an API key. */
  signed?: boolean;
  /** The response is a stream of events. */
  stream?: boolean;
  /** The names of the query parameters. */
  query?: string[];
  /** The fields of the JSON body, and whether they are required; empty for a file. */
  body?: Record<string, boolean>;
  /** Takes \`Idempotency-Key\`. */
  keyed?: boolean;
  /** Takes \`If-None-Match\`. */
  conditional?: boolean;
}

${constant('operationTable', 'Record<OperationId, OperationRow>', Object.fromEntries(rows))}
/** Status → the statuses that can follow it. */
${constant('nextStatuses', 'Record<string, string[]>', Object.fromEntries(next))}
/** The additional members of problems. */
${constant('problemMembers', 'string[]', [...new Set(members)])}`;
}
