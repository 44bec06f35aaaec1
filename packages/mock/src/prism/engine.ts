import { operationTable } from '@waybill/contract/operations';
import { type OperationId, type OperationResponse, responsesOf } from '@waybill/http/operations';
import { fileOf } from '../files.ts';
import { documentOf } from './document.ts';

/** The response that a request selects. */
export interface Selection {
  code?: number;
  /** The name of an example. */
  exampleKey?: string;
  /** Whether the body is random. */
  dynamic?: boolean;
  /** Equal seeds make equal bodies. */
  seed?: string;
}

export interface Prism {
  /**
   * Chooses and makes a response of an operation. Without a selection it is the first example of its success.
   * @param accept the header `Accept`, which selects the type of an image
   * @returns undefined when the operation has no such response
   */
  respond(id: OperationId, selection: Selection, accept?: string): Promise<OperationResponse | undefined>;
}

let loading: Promise<Prism> | undefined;

/** Loads Prism once for all mocks of a process: that takes most of the start. */
export function loadPrism(): Promise<Prism> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Prism> {
  const { createInstance, getHttpOperationsFromSpec, resetJSONSchemaGenerator } = await import('@stoplight/prism-http');
  /** An operation and its responses, as Prism represents them. */
  const operations = new Map<OperationId, ReturnType<typeof getHttpOperationsFromSpec>>();
  const config = {
    checkSecurity: false,
    errors: false,
    isProxy: false as const,
    mock: { dynamic: false },
    upstreamProxy: undefined,
    // The HTTP layer validates requests as the service does.
    validateRequest: false,
    validateResponse: false,
  };
  const prism = createInstance(config, { logger });

  async function choose(
    id: OperationId,
    selection: Selection,
    accept?: string,
  ): Promise<OperationResponse | undefined> {
    const { dynamic = false, ...selected } = selection;
    // Prism would go on with the random numbers of an earlier seed.
    if (dynamic && selected.seed === undefined) resetJSONSchemaGenerator();
    const { method, path } = operationTable[id];
    const request = {
      method: method.toLowerCase() as 'get',
      url: { path: path.replaceAll(/[{}]/g, '') },
      headers: accept === undefined ? {} : { accept },
    };
    const operation = operations.get(id) ?? getHttpOperationsFromSpec(documentOf(id));
    operations.set(id, operation);
    const result = await prism.request(request, await operation, { ...config, mock: { ...selected, dynamic } })();
    if (result._tag === 'Left') return undefined;
    const { statusCode: status, headers = {}, body } = result.right.output;
    // When the selected status lacks the selected example or the accepted type, Prism returns a success.
    if (selection.code !== undefined && selection.code !== status) return undefined;
    return complete(id, { status, headers: headers as Record<string, string>, body });
  }

  return {
    async respond(id, selection, accept) {
      // Prism refuses types that the response does not have, and throws for malformed ones. The service ignores `Accept`.
      const accepted = accept === undefined ? undefined : await choose(id, selection, accept).catch(() => undefined);
      return accepted ?? choose(id, selection);
    },
  };
}

/** Makes an image of a file, and removes headers: Prism returns text for an image, and a type without a body. */
function complete(id: OperationId, { status, headers = {}, body }: OperationResponse): OperationResponse {
  const { 'Content-type': type = '', ...others } = headers;
  const image = fileOf(type);
  const content = image ?? body;
  const documented = responsesOf(id)[status]?.headers ?? {};
  // Prism also returns optional headers. They indicate what does not happen here, such as a replay.
  const required = Object.entries(others).filter(([name]) => documented[name]?.required && name !== 'X-Request-Id');
  return {
    status,
    headers: {
      ...Object.fromEntries(required.map(([name, value]) => [name.toLowerCase(), String(value)])),
      ...(content !== undefined && { 'content-type': type }),
    },
    body: content,
  };
}

const ignore = (): void => {};
type Logger = Parameters<typeof import('@stoplight/prism-http').createInstance>[1]['logger'];
const logger = {
  child: () => logger,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  success: ignore,
} as Logger;
