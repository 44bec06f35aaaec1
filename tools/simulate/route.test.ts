import { expect, test } from 'vitest';
import { lanes } from './places.ts';
import { Random } from './random.ts';
import { along, distance } from './route.ts';

test('distance returns the known distance between two cities', () => {
  const seattle = { lat: 47.6062, lng: -122.3321 };
  const portland = { lat: 45.5152, lng: -122.6784 };
  expect(distance(seattle, portland)).toBeCloseTo(234, -1);
});

test('along returns points near the straight line, and every lane is a day of driving at most', () => {
  for (const [origin, destination] of lanes) {
    const total = distance(origin, destination);
    expect(total).toBeGreaterThan(50);
    expect(total).toBeLessThan(600);
    for (const part of [0, 0.3, 0.5, 1]) {
      const point = along(origin, destination, part, new Random(1));
      expect(Math.abs(distance(origin, point) - part * total)).toBeLessThan(6);
      expect(Math.abs(distance(point, destination) - (1 - part) * total)).toBeLessThan(6);
    }
  }
});

test('Random returns the same numbers for the same seed', () => {
  const [one, two] = [new Random(7), new Random(7)];
  for (let count = 0; count < 100; count++) expect(one.next()).toBe(two.next());
  expect(new Random(8).next()).not.toBe(new Random(7).next());
});
