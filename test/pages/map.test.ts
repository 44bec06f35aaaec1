import { gzipSync } from 'node:zlib';
import { frame } from '@waybill/pages/map/area';
import { atlas } from '@waybill/pages/map/atlas';
import { landPath } from '@waybill/pages/map/land';
import { projectionOf } from '@waybill/pages/map/view';
import { placeOf, zoneOf } from '@waybill/pages/places/places';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { describe, expect, test, vi } from 'vitest';
import { changed, now, onTheWay, states } from './views.ts';

function mapOf(view: TrackingView): string {
  const { html } = trackingPage(view, { language: 'en', now });
  return /<svg viewBox="0 0 720 360".*?<\/svg>/s.exec(html)?.[0] ?? '';
}

/** The points of a line of the map. */
function pointsOf(map: string, name: string): { x: number; y: number }[] {
  const [, text = ''] = new RegExp(`class="${name}" points="([^"]*)"`).exec(map) ?? [];
  const pairs = text.split(' ').filter(Boolean);
  return pairs.map((pair) => {
    const [x = Number.NaN, y = Number.NaN] = pair.split(',').map(Number);
    return { x, y };
  });
}

type City = [city: string, state: string, country: string];

/** A shipment that waits in one city and goes to another. */
function between(from: City, to: City): TrackingView {
  const address = ([city, state, country]: City) => ({ address: '1', zip: '1', city, state, country });
  const places = { origin: address(from), destination: address(to) };
  return changed({ status: 'scheduled', current_location: null }, { positions: [] }, places);
}
const acrossDateLine = between(['Tokyo', 'Tokyo', 'JP'], ['Los Angeles', 'CA', 'US']);

test('the map shows the route from Tacoma southwards, the current location, and the way to Portland', () => {
  const map = mapOf(onTheWay);
  const route = pointsOf(map, 'route');
  expect(route).toHaveLength(5);
  expect(route.map(({ y }) => y)).toEqual(route.map(({ y }) => y).toSorted((a, b) => a - b));
  const ahead = pointsOf(map, 'ahead');
  expect(ahead[0]).toEqual(route.at(-1));
  expect(map).toContain(`class="now" cx="${ahead[0]?.x}" cy="${ahead[0]?.y}"`);
  for (const name of ['Tacoma', 'Portland', 'Longview', 'Yakima']) expect(map).toContain(`>${name}</text>`);
  for (const { x, y } of [...route, ...ahead]) expect(x > 50 && x < 670 && y > 30 && y < 330).toBe(true);
  // For screen readers.
  expect(map).toContain('role="img" aria-labelledby="map-title map-text"');
  expect(map).toContain('<title id="map-title">Map of the route</title>');
  expect(map).toContain('From Tacoma to Portland. Last seen: Vancouver, WA.');
});

test('a delivered shipment has no location and nothing ahead, and without a known place there is no map', () => {
  const map = mapOf(states.delivered);
  expect(pointsOf(map, 'route')).toHaveLength(5);
  expect(map).not.toContain('class="now"');
  expect(pointsOf(map, 'ahead')).toEqual([]);
  expect(mapOf(between(['Nowhere', 'ZZ', 'US'], ['Elsewhere', 'ZZ', 'US']))).toBe('');
});

test.each([
  ['across a continent', between(['Seattle', 'WA', 'US'], ['New York', 'NY', 'US'])],
  ['across the date line', acrossDateLine],
  ['inside a city', between(['Lyon', 'Rhône', 'FR'], ['Lyon', 'Rhône', 'FR'])],
])('a map %s has both places, land and at most 10 kB, compressed', (_name, view) => {
  const map = mapOf(view);
  expect(map.match(/class="stop/g)).toHaveLength(2);
  expect(map).toMatch(/class="land" d="M-?\d+ -?\d+l/);
  expect(map).not.toContain('NaN');
  expect(gzipSync(map).length).toBeLessThan(10_000);
});

test('the route begins at the origin once the shipment has left it, also without a position there', () => {
  const positions = onTheWay.positions.slice(2);
  const map = mapOf({ ...onTheWay, positions });
  const [, x, y] = /class="stop"><circle cx="([^"]+)" cy="([^"]+)"/.exec(map) ?? [];
  expect(pointsOf(map, 'route')[0]).toEqual({ x: Number(x), y: Number(y) });
  expect(pointsOf(mapOf(changed({ status: 'dispatched' }, { positions })), 'route')).toHaveLength(3);
});

test('a route of thousands of positions is drawn with at most 60 points, from the first to the last', () => {
  const updated_at = now.toISOString();
  const positions = Array.from({ length: 5000 }, (_, index) => ({
    lat: 47.2 - index * 0.0003,
    lng: -122.6,
    updated_at,
  }));
  const map = mapOf({ ...onTheWay, positions });
  const route = pointsOf(map, 'route');
  expect(route.length).toBeGreaterThan(30);
  expect(route.length).toBeLessThanOrEqual(60);
  expect(route.at(-1)).toEqual(pointsOf(map, 'ahead')[0]);
});

/** Whether an SVG path fills a point (the rule `nonzero`): how often its closed lines go around it. */
function isFilled(path: string, [x, y]: [number, number]): boolean {
  let windings = 0;
  for (const [, start = '', steps = ''] of path.matchAll(/M([^l]*)l([^z]*)z/g)) {
    const numbers = (text: string): number[] => text.match(/-?\d+/g)?.map(Number) ?? [];
    const [firstX = 0, firstY = 0] = numbers(start);
    const points = [[firstX, firstY] as const];
    const all = numbers(steps);
    for (let index = 0; index < all.length; index += 2) {
      const [lastX, lastY] = points.at(-1) ?? [0, 0];
      points.push([lastX + (all[index] ?? 0), lastY + (all[index + 1] ?? 0)]);
    }
    points.push([firstX, firstY]);
    for (const [index, [toX, toY]] of points.entries()) {
      const [fromX, fromY] = points[index - 1] ?? [toX, toY];
      if (fromY <= y === toY <= y || fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) <= x) continue;
      windings += toY > fromY ? 1 : -1;
    }
  }
  return windings !== 0;
}

const pointsAt = (text: string) =>
  text.split(' ').map((pair) => pair.split(',').map(Number) as [lat: number, lng: number]);
const land = pointsAt(
  '48,2 40,-100 -25,135 0,22 60,100 -10,-55 -80,20 72,-40 35,105 46,-122 52.5,-1.5 -31,22 65,-150 23,80',
);
const water = pointsAt('30,-40 0,-140 -40,80 85,0 -60,-120 42,51 60,-86 25,-90 46,-130 0,0 35,18 45,-5');

test.each([
  ['of the world', { lat: 15, lng: 10, scale: 85 }],
  ['of the world, opposite to China', { lat: -35, lng: -75, scale: 85 }],
  ['of the world from the north pole', { lat: 90, lng: 0, scale: 85 }],
  ['of the world around the date line', { lat: 10, lng: 180, scale: 85 }],
  ['of a continent', { lat: 48, lng: 8, scale: 1100 }],
  ['of a state', { lat: 46, lng: -124, scale: 4000 }],
])('a map %s fills what is land and nothing else', (_name, view) => {
  const path = landPath(view, frame, atlas());
  const project = projectionOf(view, frame); // of d3-geo: a second source
  const isShown = ([lat, lng]: [number, number]): boolean => {
    const [x, y] = project([lng, lat]) ?? [-1, -1];
    const isFar = Math.hypot(x - frame.width / 2, y - frame.height / 2) > 1.7 * view.scale; // where all is thin
    return x > 0 && x < frame.width && y > 0 && y < frame.height && !isFar;
  };
  const filled = (points: [number, number][]) =>
    points.filter((point) => isShown(point) && isFilled(path, project([point[1], point[0]]) ?? [0, 0]));
  expect(filled(land)).toEqual(land.filter(isShown));
  expect(filled(water)).toEqual([]);
  expect(land.some(isShown) && water.some(isShown)).toBe(true);
});

test.each([
  [20, 40, 115],
  [50, -40, 490],
  [40, -97, 640],
])('the map at %i, %i with the scale %i is of a usual size, from few points', (lat, lng, scale) => {
  using projected = vi.spyOn(Math, 'sqrt'); // once for a point
  const { length } = landPath({ lat, lng, scale }, frame, atlas());
  expect(length).toBeGreaterThan(15_000);
  expect(length).toBeLessThan(40_000);
  expect(projected.mock.calls.length).toBeGreaterThan(10_000);
  expect(projected.mock.calls.length).toBeLessThan(45_000);
});

describe('a map with tiles', () => {
  const tiles = { url: 'https://tiles.example.com/{z}/{x}/{y}.png?key=one', credit: '© The mapmakers' };
  const rendered = (view: TrackingView) => {
    const { html, headers } = trackingPage(view, { language: 'en', now, tiles });
    const images = [...html.matchAll(/<image href="([^"]+)" x="([^"]+)" y="([^"]+)" width="256" height="256"/g)];
    const parsed = images.map(([, href = '', x, y]) => {
      const [, z = 0, column = -1, row = -1] = /\/(\d+)\/(\d+)\/(\d+)\.png\?key=one$/.exec(href)?.map(Number) ?? [];
      return { x: Number(x), y: Number(y), z, column, row };
    });
    return { html, policy: headers['content-security-policy'], images: parsed };
  };

  test('the tiles are those of the place and cover the map, and only their server is permitted', () => {
    const { html, policy, images } = rendered(onTheWay);
    const below = (x: number, y: number) =>
      images.filter((each) => each.x <= x && x < each.x + 256 && each.y <= y && y < each.y + 256);
    const [, left, top] = /class="stop end"><circle cx="([^"]+)" cy="([^"]+)"/.exec(html) ?? [];
    const [tile = expect.unreachable()] = below(Number(left), Number(top));
    // The numbers of tiles as OpenStreetMap defines them, of Portland.
    const { lat, lng } = placeOf({ city: 'Portland', state: 'OR' }) ?? expect.unreachable();
    const east = ((lng + 180) / 360) * 2 ** tile.z;
    const south = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** tile.z;
    expect([tile.column, tile.row]).toEqual([Math.floor(east), Math.floor(south)]);
    expect(Math.abs(tile.x + (east % 1) * 256 - Number(left))).toBeLessThan(2);
    expect(Math.abs(tile.y + (south % 1) * 256 - Number(top))).toBeLessThan(2);
    for (const x of [0, 719]) for (const y of [0, 359]) expect(below(x, y), `${x},${y}`).toHaveLength(1);
    expect(html).toContain('© The mapmakers</text>');
    expect(html).not.toContain('class="land"');
    expect(policy).toContain("img-src 'self' data: https://tiles.example.com;");
    const without = trackingPage(onTheWay, { language: 'en', now });
    expect(without.headers['content-security-policy']).toContain("img-src 'self' data:;");
    expect(without.html).not.toContain('<image');
  });

  test('a route across the date line is in one piece, with tiles that exist', () => {
    const { html, images } = rendered(acrossDateLine);
    const stops = [...html.matchAll(/class="stop[^"]*"><circle cx="([^"]+)"/g)].map(([, x]) => Number(x));
    expect(stops).toHaveLength(2);
    for (const x of stops) expect(x > 0 && x < 720).toBe(true);
    expect((stops[1] ?? 0) - (stops[0] ?? 0)).toBeGreaterThan(50); // eastwards
    for (const { z, column, row } of images) {
      expect(Math.min(column, row)).toBeGreaterThanOrEqual(0);
      expect(Math.max(column, row)).toBeLessThan(2 ** z);
    }
  });
});

describe('places', () => {
  /** @param text city, state, country */
  const at = (text: string) => {
    const [city = '', state = '', country] = text.split(', ');
    return { city, state, ...(country && { country }) };
  };

  test.each([
    ['portland, Or', 45.52],
    ['Portland, ME', 43.67],
    ['São Paulo, SP, BR', -23.56],
    ['St. Louis, MO', 38.63],
    ['El Paso, Texas', 31.78],
    ['windsor, nova scotia, CA', 44.98],
    ['Washington, D.C.', 38.9],
    ['Tijuana, BC, MX', 32.5],
    ['Frankfurt, Hesse, DE', 50.1],
    ['Frankfurt, , DE', 50.1], // in all of the country, clocks are the same
    ['Łódź, lodzkie, PL', 51.77],
    ['Lyon, Auvergne-Rhône-Alpes, FR', 45.77], // a region that the data do not have
  ])('%s is found', (address, latitude) => {
    expect(placeOf(at(address))?.lat).toBeCloseTo(latitude, 1);
  });

  test('a place is not guessed among several, or from another state', () => {
    const all =
      'Portland, TX|Portland, |Nowhere, WA|Chicago, |Chhatrapati Sambhajinagar, , IN|Kingston, NS, CA|Kingston, , CA' +
      '|Kingston, QLD, AU|Frankfurt, BB, DE';
    for (const address of all.split('|')) expect(placeOf(at(address)), address).toBeUndefined();
  });

  test.each([
    ['Portland, OR', 'America/Los_Angeles'],
    ['Hamlet, WA', 'America/Los_Angeles'], // the whole state
    ['Hamlet, OR', undefined], // two time zones
    ['Hamlet, AZ', undefined], // part of it has summer time
    ['Weiler, BY, FR', 'Europe/Paris'],
    ['Hamilton, Nova Scotia, CA', 'America/Halifax'],
    ['Kingston, , CA', undefined],
    ['Kingston, tas, AU', 'Australia/Hobart'],
    ['Dunhuang, GS, CN', 'Asia/Shanghai'],
    ['Punta Arenas, Magallanes, CL', 'America/Punta_Arenas'],
    ['El Paso, Texas', 'America/Denver'],
    ['Aldea, Canary Islands, ES', 'Atlantic/Canary'],
    ['Pueblo, Alicante, ES', 'Europe/Madrid'], // a province of a region
    ['Weiler, , DE', 'Europe/Berlin'], // two zones of one time
    ['Hamlet, , ZZ', undefined],
  ])('the time zone of %s is %s', (address, zone) => {
    expect(zoneOf(at(address))).toBe(zone);
  });
});
