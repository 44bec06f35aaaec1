import document from '@waybill/contract/openapi.json' with { type: 'json' };

/** The parts of the bundled document that the pages are made from. */
interface Document {
  info: { description: string };
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
  content?: Record<string, { examples?: Record<string, { $ref: string }> }>;
}

const { info, paths, components }: Document = document;

export const operations: Operation[] = Object.values(paths).flatMap((methods) => Object.values(methods));

/** What the contract's introduction says under a word in bold. */
export function introductionTo(topic: string): string {
  const words = `**${topic}.** `;
  const paragraph = info.description.split('\n\n').find((text) => text.startsWith(words));
  if (!paragraph) throw new Error(`The contract's introduction has no paragraph "${topic}".`);
  return paragraph.slice(words.length);
}

/** What the contract says of an operation. */
export function descriptionOf(operationId: string): string {
  const operation = operations.find((each) => each.operationId === operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  return operation.description;
}

/** Headers as they look in an answer, with the contract's example values. */
export function headerLines(...names: string[]): string {
  return names.map((header) => `${header}: ${components.headers[header]?.example}`).join('\n');
}

/** The contract's example of a problem, if it has one: the one of its own name before others. */
export function exampleOf(code: string): unknown {
  return (
    components.examples[code]?.value ??
    Object.values(components.examples).find(({ value }) => isProblem(value, code))?.value
  );
}

/** The operations that document an answer with this problem code. */
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
