import { defaultBaseUrl, operationTable } from '@waybill/contract/operations';

export type OperationId = keyof typeof operationTable;
export const operationIds: OperationId[] = Object.keys(operationTable) as OperationId[];

/** The path of the major version, such as `/v1`. */
export const basePath: string = new URL(defaultBaseUrl).pathname;

/** The operation of a request, and its decoded path parameters. */
export interface Route {
  id: OperationId;
  params: Record<string, string>;
}

const templates = operationIds.map((id) => {
  const { path, method } = operationTable[id];
  return { id, method, pattern: new RegExp(`^${basePath}${path.replaceAll(/{(\w+)}/g, '(?<$1>[^/]*)')}$`) };
});

/** @returns the methods of the path for a method that it does not have, empty for an unknown path */
export function findRoute(method: string, requestPath: string): Route | string[] {
  const path = requestPath.replace(/%[2-7][0-9a-f]/gi, unreserved);
  const found = templates.flatMap(({ pattern, ...template }) => {
    const params = decoded(pattern.exec(path)?.groups ?? (pattern.test(path) ? {} : undefined));
    return params ? [{ ...template, params }] : [];
  });
  const route = found.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
  if (route) return { id: route.id, params: route.params };
  const methods: string[] = found.map((one) => one.method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** Decodes a character that needs no percent-encoding (RFC 3986, section 6.2.2.2). */
const unreserved = (encoded: string): string => {
  const character = decodeURIComponent(encoded);
  return /[\w.~-]/.test(character) ? character : encoded;
};

/** @returns undefined for parameters that are not percent-encoded UTF-8 */
function decoded(groups: Record<string, string> | undefined): Record<string, string> | undefined {
  try {
    return (
      groups && Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
    );
  } catch {
    return undefined;
  }
}
