import document from '@waybill/contract/openapi.json' with { type: 'json' };

/** The parts of the bundled contract that the pages use. */
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    responses: Record<string, Response>;
    examples: Record<string, { value: unknown }>;
    headers: Record<string, { description: string; example: unknown }>;
  };
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  responses: Record<string, Response>;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: object; examples?: Record<string, { $ref: string }> }>;
}

const { paths, components }: Document = document;

export const operations: Operation[] = Object.values(paths).flatMap((methods) => Object.values(methods));

/** Response header lines with the example values of the contract. */
export function headerLines(...names: string[]): string {
  return names.map((header) => `${header}: ${components.headers[header]?.example}`).join('\n');
}

/** An example of a problem, preferably the one named like its code. */
export function exampleOf(code: string): unknown {
  return (
    components.examples[code]?.value ??
    Object.values(components.examples).find(({ value }) => isProblem(value, code))?.value
  );
}

/** The operations with a response for this problem code. */
export function operationsWith(code: string): Operation[] {
  return operations.filter(({ responses }) => Object.values(responses).some((response) => shows(response, code)));
}

function shows(response: Response, code: string): boolean {
  const { content = {} } = components.responses[name(response.$ref)] ?? response;
  return Object.values(content).some(({ examples = {} }) =>
    Object.values(examples).some(({ $ref }) => isProblem(components.examples[name($ref)]?.value, code)),
  );
}

const name = (ref = ''): string => ref.slice(ref.lastIndexOf('/') + 1);

const isProblem = (value: unknown, code: string): boolean =>
  typeof value === 'object' && value !== null && 'code' in value && value.code === code;
