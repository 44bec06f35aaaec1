import contract from '@waybill/contract/openapi.json' with { type: 'json' };

/** An example of the contract; places are JSON pointers into the bundle. */
export interface Example {
  place: string;
  /** The place of its schema; undefined if it has none. */
  schema: string | undefined;
  value: unknown;
}

type Node = Record<string, unknown>;

/** The members of these objects are chosen names, which may be `example`; other members are keywords of OpenAPI. */
const maps = ['properties', 'patternProperties', '$defs', 'schemas', 'responses', 'parameters', 'headers'];
maps.push('content', 'paths', 'callbacks', 'links', 'requestBodies', 'pathItems', 'securitySchemes');
/** The values of these keywords are data. */
const data = ['example', 'examples', 'default', 'const', 'enum'];
const step = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every example of the bundle. */
export function allExamples(): Example[] {
  const found = [...examplesIn(contract as unknown as Node, '', false)];
  // A shared example has the schema of the place that refers to it; an unused example has none.
  const orphans = Object.entries(contract.components.examples).filter(
    ([, { value }]) => !found.some((example) => example.value === value),
  );
  const place = (name: string) => `/components/examples${step(name)}`;
  return [...found, ...orphans.map(([name, { value }]) => ({ place: place(name), schema: undefined, value }))];
}

function* examplesIn(node: Node, place: string, isMap: boolean): Generator<Example> {
  if (!isMap && place !== '/components') yield* own(node, place);
  for (const [name, child] of Object.entries(node)) {
    if (!isNode(child) || (!isMap && (data.includes(name) || name.startsWith('x-')))) continue;
    yield* examplesIn(child, place + step(name), !isMap && maps.includes(name) && !Array.isArray(child));
  }
}

function* own(node: Node, place: string): Generator<Example> {
  const schema = schemaOf(node, place);
  if ('example' in node) yield { place: `${place}/example`, schema, value: node.example };
  if (!isNode(node.examples)) return;
  // A schema has a list of values, a parameter, header or media type has named objects with a value in them.
  for (const [name, entry] of Object.entries(node.examples)) {
    const value = Array.isArray(node.examples) ? entry : valueIn(entry as Node);
    yield { place: `${place}/examples${step(name)}`, schema, value };
  }
}

function schemaOf(node: Node, place: string): string | undefined {
  if ('schema' in node) return `${place}/schema`;
  return /\/(schema|components\/schemas\/[^/]+)(\/|$)/.test(place) ? place : undefined;
}

function valueIn({ $ref, value }: Node): unknown {
  const name = /^#\/components\/examples\/(.+)$/.exec(String($ref))?.[1];
  return name === undefined
    ? value
    : contract.components.examples[name as keyof typeof contract.components.examples].value;
}
