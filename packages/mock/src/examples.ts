import { dereferenced } from '@waybill/contract/dereferenced';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { OperationId } from './routes.ts';

/** A response that the contract documents. */
export interface Example {
  status: number;
  /** Undefined for a response without an example: a file or nothing. */
  name: string | undefined;
  value: unknown;
  /** Undefined for a response without a body. */
  contentType: string | undefined;
  /** The required headers, with the values of the contract. Optional ones report what does not happen here. */
  headers: Record<string, string>;
}

interface ResponseObject {
  headers?: Record<string, { required?: boolean; example?: unknown }>;
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>;
}

const known = new Map<OperationId, Example[]>();

/** Every response of an operation with each of its examples, in the order of the contract. */
export function examplesOf(id: OperationId): Example[] {
  const examples = known.get(id) ?? readExamples(id);
  known.set(id, examples);
  return examples;
}

function readExamples(id: OperationId): Example[] {
  const { path, method } = operationTable[id];
  const paths = document.paths as unknown as Record<string, Record<string, { responses: object }>>;
  const responses = dereferenced(paths[path]?.[method.toLowerCase()]?.responses) as Record<string, ResponseObject>;
  return Object.entries(responses).flatMap(([code, { headers = {}, content = {} }]) => {
    const required = Object.entries(headers).filter(([, header]) => header.required);
    const response = {
      status: Number(code),
      headers: Object.fromEntries(required.map(([name, { example }]) => [name, String(example)])),
    };
    const [[contentType, media] = []] = Object.entries(content);
    const examples = Object.entries(media?.examples ?? { '': undefined });
    return examples.map(([name, example]) => ({
      ...response,
      contentType,
      name: name || undefined,
      value: example?.value,
    }));
  });
}

/** The first response of an operation, a success. */
export function successOf(id: OperationId): Example {
  const success = examplesOf(id).find(({ status }) => status < 300);
  if (!success) throw new Error(`The contract has no success of ${id}`);
  return success;
}
