import { expect, test } from 'vitest';
import { mutantsIn, mutated } from './mutant.ts';

const aToB = mutantsIn('src')('a to b', 'some.ts', '', { a: 'b' });

test('mutated replaces the text of an edit', () => {
  expect(mutated(aToB, 'x = a;')).toBe('x = b;');
});

test.each(['', 'a a'])('mutated throws for the source "%s", in which the text does not occur once', (source) => {
  expect(() => mutated(aToB, source)).toThrow(/Mutant 'a to b': .* times in src\/some\.ts/);
});
