import { at, type Document, keysOf } from './document.ts';
import { code } from './extensions.ts';

/** Names a part of the contract for developers of clients: "`Shipment.notes`", "the response 409 of `cancelShipment`". */
export function locationName(document: Document, pointer: string): string {
  const keys = keysOf(pointer);
  const [root, kind = '', name = '', ...rest] = keys;
  if (root === 'paths') return name === '' ? `the path ${code(kind)}` : inOperation(document, kind, name, rest);
  if (root === '') return 'the document';
  if (root !== 'components') return root === 'servers' ? 'the server' : code(keys.join('.'));
  if (kind === 'schemas') return code(name + members(rest));
  if (kind === 'parameters') return parameter(at(document, keys.slice(0, 3)));
  if (kind === 'responses') return inResponse(`the response ${code(name)}`, rest);
  return kind === 'headers' ? `the header ${code(name)}` : code(name);
}

function inOperation(
  document: Document,
  path: string,
  method: string,
  [part = '', key = '', ...rest]: string[],
): string {
  const operation = code(document.paths[path]?.[method]?.operationId);
  if (part === 'parameters') {
    return `${parameter(at(document, ['paths', path, method, part, key]))} of ${operation}`;
  }
  if (part === 'requestBody') return inBody(`the request of ${operation}`, [key, ...rest]);
  if (part === 'responses') return inResponse(`the response ${key} of ${operation}`, rest);
  return operation;
}

const parameter = (node: unknown): string => {
  const { in: where, name } = node as { in: string; name: string };
  return `the ${where} parameter ${code(name)}`;
};

const inResponse = (response: string, [part, key, ...rest]: string[]): string =>
  part === 'headers' ? `the header ${code(key)} in ${response}` : inBody(response, [part ?? '', key ?? '', ...rest]);

function inBody(body: string, [part, type, ...schema]: string[]): string {
  if (part !== 'content' || !type) return body;
  if (schema.length === 0) return `${code(type)} in ${body}`;
  const field = members(schema.slice(1)).replace(/^\./, '');
  return field === '' ? `the body of ${body}` : `${code(field)} in ${body}`;
}

/** `['properties', 'photos', 'items', 'properties', 'url']` → `.photos[].url` */
function members([keyword, ...rest]: string[]): string {
  if (keyword === undefined) return '';
  if (keyword === 'items') return `[]${members(rest)}`;
  return keyword === 'properties' && rest[0] ? `.${rest[0]}${members(rest.slice(1))}` : members(rest);
}
