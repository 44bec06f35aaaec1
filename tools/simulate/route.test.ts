import { expect, test } from 'vitest';
import { lanes } from './places.ts';
import { seeded } from './random.ts';
import { along, distance } from './route.ts';

test('a route leads from origin to destination, near the straight way, within a shift', () => {
  for (const [origin, destination] of lanes) {
    const whole = distance(origin, destination);
    expect(whole).toBeGreaterThan(50);
    expect(whole).toBeLessThan(600);
    const random = seeded(1);
    for (const part of [0, 0.3, 0.5, 1]) {
      const there = along(origin, destination, part, random);
      expect(Math.abs(distance(origin, there) - part * whole)).toBeLessThan(3);
      expect(Math.abs(distance(there, destination) - (1 - part) * whole)).toBeLessThan(3);
    }
  }
});

test('the same seed gives the same numbers', () => {
  const [one, two] = [seeded(7), seeded(7)];
  for (let count = 0; count < 100; count++) expect(one.next()).toBe(two.next());
  expect(seeded(8).next()).not.toBe(seeded(7).next());
});
