import { fieldErrorCodes } from '@waybill/contract/problems';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breaksOf } from './breaks.ts';
import { milliseconds } from './moments.ts';
import { contractParts } from './parts.ts';
import { type Schema, valid } from './schema.ts';

/** Says of the words across fields and time what the contract says of them, a second time and for these tests only. */
function judge(schema: Schema, previous: number): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv).addFormat('text', (text: string) => !/\p{Cs}|\0/u.test(text));
  const isTime = ajv.compile({
    type: 'string',
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
    pattern: '^[12]',
  });
  const at = (text: unknown): number => (isTime(text) ? Date.parse(String(text)) : Number.NaN);
  const rule = (
    keyword: string,
    holds: (said: string, data: string, beside: Record<string, unknown>) => boolean,
  ): void => {
    const validate = (
      said: string,
      data: string,
      _: unknown,
      where?: { parentData: Record<string, unknown> },
    ): boolean => holds(said, data, where?.parentData ?? {});
    ajv.addKeyword({ keyword, type: 'string', validate });
  };
  rule('x-after', (name, data, beside) => !(at(data) <= at(beside[name])));
  rule(
    'x-not-before',
    (name, data, beside) => !(at(data.length === 10 ? `${data}T23:59:59.999Z` : data) < at(beside[name])),
  );
  rule('x-max-ahead', (duration, data) => !(at(data) > Date.now() + milliseconds(duration)));
  rule('x-max-before-previous', (duration, data) => !(at(data) < previous - milliseconds(duration)));
  return ajv.compile(schema);
}

/** A value as it is read where it arrives: of a URL and a header, text that may stand for a number as in JSON. */
function asRead(value: unknown, { properties = {} }: Schema, asText: boolean): unknown {
  if (!asText) return JSON.parse(JSON.stringify(value));
  const read = (name: string, text: string): unknown =>
    properties[name]?.type === 'integer' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, read(name, String(one))]));
}

const parts = contractParts.map((part) => ({
  ...part,
  name: `${part.operation} ${part.in}`,
  asText: part.in !== 'body',
}));
const previous = Date.UTC(2026, 0, 1);

test.for(parts)('what is made for $name is what its schema allows', ({ schema, asText }) => {
  const allows = judge(schema, previous);
  fc.assert(
    fc.property(valid(schema, { previous }), (value) => {
      expect(allows(asRead(value, schema, asText)), JSON.stringify([value, allows.errors])).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test.for(parts)('each break of $name breaks that keyword at that place, and nothing else', ({ schema, asText }) => {
  const allows = judge(schema, previous);
  for (const { place, keyword, broken } of breaksOf(schema, asText)) {
    fc.assert(
      fc.property(broken({ previous }, ''), ({ value, pointer }) => {
        const said = JSON.stringify([place, keyword, value]).slice(0, 1000);
        expect(allows(asRead(value, schema, asText)), said).toBe(false);
        const errors = (allows.errors ?? []).map(({ instancePath, params, keyword: word }) => {
          const name: string | undefined = params.missingProperty ?? params.additionalProperty;
          return [
            name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
            word,
          ];
        });
        expect(
          errors.filter(([at]) => at !== pointer),
          said,
        ).toEqual([]);
        expect(
          errors.map(([, word]) => word),
          said,
        ).toContain(keyword);
      }),
      { numRuns: 12 },
    );
  }
});

test('every kind of rule that a request of the contract can break is broken', () => {
  const written = new Set(parts.flatMap(({ schema }) => wordsIn(schema)));
  const breakable = Object.keys(fieldErrorCodes).filter((keyword) => written.has(keyword));
  const broken = new Set(parts.flatMap(({ schema, asText }) => breaksOf(schema, asText)).map(({ keyword }) => keyword));
  expect(breakable.filter((keyword) => !broken.has(keyword))).toEqual([]);
  expect(breakable).toEqual(expect.arrayContaining(['type', 'x-after', 'x-not-before', 'x-max-ahead']));
});

function wordsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return [...Object.keys(node), ...Object.values(node).flatMap(wordsIn)];
}

test('a word that the fuzzer does not know stops it, so that no rule of the contract is forgotten', () => {
  for (const word of ['contains', 'x-multiple-of', 'exclusiveMinimum', 'const', 'patternProperties']) {
    const schema = { type: 'object', properties: { deep: { type: 'array', items: { type: 'number', [word]: 1 } } } };
    expect(() => valid(schema), word).toThrow(`Teach the fuzzer ${word}`);
    expect(() => breaksOf(schema), word).toThrow(`Teach the fuzzer ${word}`);
  }
  expect(() => valid({ type: 'string', format: 'ipv6' })).toThrow('Teach the fuzzer');
});
