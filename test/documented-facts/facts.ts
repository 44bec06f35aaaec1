import contract from '@waybill/contract/openapi.json' with { type: 'json' };

/** Sizes, times, orders and statuses in the contract's descriptions: each fact → the places that state it. */
export type Facts = Record<string, string[]>;

/** Names of documents and formats, which have numbers of their own. */
const references = /RFC \d+(, section [\d.]+)?|draft-[\w-]+|SHA-256|UTF-8|WGS 84|IPv6/g;

const number = String.raw`\d+(?:,\d{3})*`;
const fact = new RegExp(
  [
    String.raw`\d{3}(?:, \d{3})+(?: and 5xx)?`, // statuses
    `${number}(?: to ${number})?(?: [KM]iB| bits| pixels| hours?| minutes?| seconds?| days?)?(?: ahead| before)?`,
    String.raw`\b(?:an hour|a day|a minute|a second)\b`,
    String.raw`\b(?:newest|oldest)\b[^.,;:]*? first\b`,
    String.raw`\b(?:greatest|last|latest) \w+`,
  ].join('|'),
  'g',
);

/** Every description of a node, at every depth, with its place. */
function* descriptions(node: unknown, place: string[]): Generator<[place: string, text: string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (['example', 'examples'].includes(key)) continue;
    const isText = typeof value === 'string' && (key === 'description' || place.at(-1) === 'x-enumDescriptions');
    if (isText) yield [place.join(' '), value.replace(/\s+/g, ' ')];
    else yield* descriptions(value, ['components', 'properties'].includes(key) ? place : [...place, key]);
  }
}

export function statedFacts(): Facts {
  const facts: Facts = {};
  for (const [place, text] of descriptions(contract, [])) {
    for (const [name] of text.replace(references, '').matchAll(fact)) {
      facts[name] = [...new Set([...(facts[name] ?? []), place])].sort();
    }
  }
  return facts;
}
