import { gzipSync } from 'node:zlib';
import { frame } from '@waybill/pages/map/area';
import { atlas } from '@waybill/pages/map/atlas';
import { landPath } from '@waybill/pages/map/land';
import { pathOf } from '@waybill/pages/map/ring';
import { projectionOf } from '@waybill/pages/map/view';
import { placeOf, zoneOf } from '@waybill/pages/places/places';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { describe, expect, test, vi } from 'vitest';
import { now, onTheWay, states } from './views.ts';

function mapOf(view: TrackingView): string {
  const { html } = trackingPage(view, { language: 'en', now });
  return /<svg viewBox="0 0 720 360".*?<\/svg>/s.exec(html)?.[0] ?? '';
}

/** The points of a line of the map. */
function pointsOf(map: string, name: string): { x: number; y: number }[] {
  const [, text = ''] = new RegExp(`class="${name}" points="([^"]*)"`).exec(map) ?? [];
  return text
    .split(' ')
    .filter(Boolean)
    .map((pair) => {
      const [x = Number.NaN, y = Number.NaN] = pair.split(',').map(Number);
      return { x, y };
    });
}

const between = (city: string, state: string, country: string, to: [string, string, string]): TrackingView => {
  const address = { address: '1', zip: '1' };
  const shipment = onTheWay.shipment && {
    ...onTheWay.shipment,
    origin: { ...address, city, state, country },
    destination: { ...address, city: to[0], state: to[1], country: to[2] },
  };
  const tracking = { ...onTheWay.tracking, status: 'scheduled', current_location: null } as const;
  return { ...onTheWay, shipment, tracking, positions: [] };
};

test.each([
  ['left', [-99, 40, 50, 10, 50, 90], 'M-8 71l0-49 58-12 0 80z'],
  ['right', [799, 40, 650, 10, 650, 90], 'M728 64l0-38-78-16 0 80z'],
  ['top', [40, -99, 10, 50, 90, 50], 'M71 -8l-49 0-12 58 80 0z'],
  ['bottom', [40, 499, 10, 350, 90, 350], 'M84 368l-70 0-4-18 80 0z'],
])('the path of land over the %s edge is cut behind it', (_, points, path) => {
  const [x, y] = [0, 1].map((axis) => points.filter((_value, index) => index % 2 === axis)) as [number[], number[]];
  const sides = { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
  expect(pathOf({ points, ...sides }, frame)).toBe(path);
});

describe('map', () => {
  test('the map shows the route from Tacoma southwards, the current location, and the way to Portland', () => {
    const map = mapOf(onTheWay);
    const route = pointsOf(map, 'route');
    expect(route).toHaveLength(5);
    for (const [index, { y }] of route.entries()) expect(y).toBeGreaterThan(route[index - 1]?.y ?? 0);
    const ahead = pointsOf(map, 'ahead');
    expect(ahead[0]).toEqual(route.at(-1));
    expect(map).toContain(`class="now" cx="${ahead[0]?.x}" cy="${ahead[0]?.y}"`);
    for (const name of ['Tacoma', 'Portland', 'Longview', 'Yakima']) expect(map).toContain(`>${name}</text>`);
    for (const { x, y } of [...route, ...ahead]) {
      expect(x).toBeGreaterThan(50);
      expect(x).toBeLessThan(670);
      expect(y).toBeGreaterThan(30);
      expect(y).toBeLessThan(330);
    }
  });

  test('the map names the route and the last location for screen readers', () => {
    const map = mapOf(onTheWay);
    expect(map).toContain('role="img" aria-labelledby="map-title map-text"');
    expect(map).toContain('<title id="map-title">Map of the route</title>');
    expect(map).toContain('From Tacoma to Portland. Last seen: Vancouver, WA.');
  });

  test('a shipment that has ended has no location and nothing ahead', () => {
    const map = mapOf(states.delivered as TrackingView);
    expect(pointsOf(map, 'route')).toHaveLength(5);
    expect(map).not.toContain('class="now"');
    expect(pointsOf(map, 'ahead')).toEqual([]);
  });

  test('there is no map without any known place', () => {
    expect(mapOf(between('Nowhere', 'ZZ', 'US', ['Elsewhere', 'ZZ', 'US']))).toBe('');
  });

  test.each([
    ['across a continent', between('Seattle', 'WA', 'US', ['New York', 'NY', 'US'])],
    ['across the date line', between('Tokyo', 'Tokyo', 'JP', ['Los Angeles', 'CA', 'US'])],
    ['inside a city', between('Lyon', 'Rhône', 'FR', ['Lyon', 'Rhône', 'FR'])],
  ])('a map %s has both places, land and at most 10 kB, compressed', (_name, view) => {
    const map = mapOf(view);
    expect(map.match(/class="stop/g)).toHaveLength(2);
    const [, path = ''] = /class="land" d="([^"]*)"/.exec(map) ?? [];
    expect(path).toMatch(/^M-?\d+ -?\d+l/);
    expect(path).not.toContain('NaN');
    expect(gzipSync(map).length).toBeLessThan(10_000);
  });

  test('the route begins at the origin once the shipment has left it, also without a position there', () => {
    const positions = onTheWay.positions.slice(2);
    const origin = /class="stop"><circle cx="([^"]+)" cy="([^"]+)"/;
    const map = mapOf({ ...onTheWay, positions });
    const [, x, y] = origin.exec(map) ?? [];
    expect(pointsOf(map, 'route')[0]).toEqual({ x: Number(x), y: Number(y) });
    const waiting = mapOf({ ...onTheWay, positions, tracking: { ...onTheWay.tracking, status: 'dispatched' } });
    expect(pointsOf(waiting, 'route')).toHaveLength(3);
  });

  test('a route of thousands of positions is drawn with at most 60 points, from the first to the last', () => {
    const positions = Array.from({ length: 5000 }, (_, index) => ({
      lat: 47.2 - index * 0.0003,
      lng: -122.6,
      updated_at: new Date(index * 1000),
    }));
    const map = mapOf({ ...onTheWay, positions });
    const route = pointsOf(map, 'route');
    expect(route.length).toBeGreaterThan(30);
    expect(route.length).toBeLessThanOrEqual(60);
    expect(route.at(-1)).toEqual(pointsOf(map, 'ahead')[0]);
  });
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

describe('land', () => {
  const land = [
    ...[
      [48, 2],
      [40, -100],
      [-25, 135],
      [0, 22],
      [60, 100],
      [-10, -55],
      [-80, 20],
      [72, -40],
    ],
    ...[
      [35, 105],
      [46, -122],
      [52.5, -1.5],
      [-31, 22],
      [65, -150],
      [23, 80],
    ],
  ] as [number, number][];
  const water = [
    ...[
      [30, -40],
      [0, -140],
      [-40, 80],
      [85, 0],
      [-60, -120],
      [42, 51],
      [60, -86],
      [25, -90],
    ],
    ...[
      [46, -130],
      [0, 0],
      [35, 18],
      [45, -5],
    ],
  ] as [number, number][];

  test.each([
    ['of the world', { lat: 15, lng: 10, scale: 85 }],
    ['of the world, opposite to Australia', { lat: 25, lng: -47, scale: 85 }],
    ['of the world, opposite to China', { lat: -35, lng: -75, scale: 85 }],
    ['of the world from the north pole', { lat: 90, lng: 0, scale: 85 }],
    ['of the world from the south pole', { lat: -90, lng: 0, scale: 85 }],
    ['of the world around the date line', { lat: 10, lng: 180, scale: 85 }],
    ['of an ocean', { lat: 45, lng: -40, scale: 450 }],
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

  test('the size of a map does not grow with what it shows', () => {
    const world = landPath({ lat: 20, lng: 40, scale: 115 }, frame, atlas());
    const ocean = landPath({ lat: 50, lng: -40, scale: 490 }, frame, atlas());
    const country = landPath({ lat: 40, lng: -97, scale: 640 }, frame, atlas());
    for (const { length } of [world, ocean, country]) {
      expect(length).toBeGreaterThan(15_000);
      expect(length).toBeLessThan(40_000);
    }
  });

  test('a map of any size is drawn from few points', () => {
    using projected = vi.spyOn(Math, 'sqrt'); // once for a point
    for (const [lat, lng, scale] of [
      [20, 40, 115],
      [50, -40, 490],
      [40, -97, 640],
    ] as const) {
      projected.mockClear();
      landPath({ lat, lng, scale }, frame, atlas());
      expect(projected.mock.calls.length).toBeGreaterThan(10_000);
      expect(projected.mock.calls.length).toBeLessThan(45_000);
    }
  });
});

describe('a map with tiles', () => {
  const tiles = { url: 'https://tiles.example.com/{z}/{x}/{y}.png?key=one', credit: '© The mapmakers' };
  const rendered = (view: TrackingView) => {
    const { html, headers } = trackingPage(view, { language: 'en', now, tiles });
    const images = [...html.matchAll(/<image href="([^"]+)" x="([^"]+)" y="([^"]+)" width="256" height="256"/g)];
    return {
      html,
      policy: headers['content-security-policy'] ?? '',
      images: images.map(([, href = '', x, y]) => ({ href, x: Number(x), y: Number(y) })),
    };
  };

  test('the tiles are those of the place, and cover the map', () => {
    const { html, images } = rendered(onTheWay);
    const [, left, top] = /class="stop end"><circle cx="([^"]+)" cy="([^"]+)"/.exec(html) ?? [];
    const [x, y] = [Number(left), Number(top)];
    const tile = images.find((each) => each.x <= x && x < each.x + 256 && each.y <= y && y < each.y + 256);
    const [, z = 0, column, row] = /\/(\d+)\/(\d+)\/(\d+)\.png\?key=one$/.exec(tile?.href ?? '')?.map(Number) ?? [];
    // The numbers of tiles as OpenStreetMap defines them, of Portland.
    const { lat = 0, lng = 0 } = placeOf({ city: 'Portland', state: 'OR' }) ?? {};
    const radians = (lat * Math.PI) / 180;
    const east = ((lng + 180) / 360) * 2 ** z;
    const south = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** z;
    expect([column, row]).toEqual([Math.floor(east), Math.floor(south)]);
    expect(Math.abs((tile?.x ?? 0) + (east % 1) * 256 - x)).toBeLessThan(2);
    expect(Math.abs((tile?.y ?? 0) + (south % 1) * 256 - y)).toBeLessThan(2);
    for (const corner of [
      [0, 0],
      [719, 0],
      [0, 359],
      [719, 359],
    ] as const) {
      const [atX, atY] = corner;
      const below = images.filter((each) => each.x <= atX && atX < each.x + 256 && each.y <= atY && atY < each.y + 256);
      expect(below, String(corner)).toHaveLength(1);
    }
    expect(html).toContain('© The mapmakers</text>');
    expect(html).not.toContain('class="land"');
  });

  test('the page permits images of the tile server, and without tiles of no server', () => {
    const { policy } = rendered(onTheWay);
    expect(policy).toContain("img-src 'self' data: https://tiles.example.com;");
    const { html, headers } = trackingPage(onTheWay, { language: 'en', now });
    expect(headers['content-security-policy']).toContain("img-src 'self' data:;");
    expect(html).not.toContain('<image');
  });

  test('a route across the date line is in one piece, with tiles that exist', () => {
    const { html, images } = rendered(between('Tokyo', 'Tokyo', 'JP', ['Los Angeles', 'CA', 'US']));
    const stops = [...html.matchAll(/class="stop[^"]*"><circle cx="([^"]+)"/g)].map(([, x]) => Number(x));
    expect(stops).toHaveLength(2);
    for (const x of stops) expect(x > 0 && x < 720).toBe(true);
    expect((stops[1] ?? 0) - (stops[0] ?? 0)).toBeGreaterThan(50); // eastwards
    for (const { href } of images) {
      const [, z = 0, column = -1, row = -1] = /\/(\d+)\/(\d+)\/(\d+)\./.exec(href)?.map(Number) ?? [];
      expect(Math.min(column, row)).toBeGreaterThanOrEqual(0);
      expect(Math.max(column, row)).toBeLessThan(2 ** z);
    }
  });
});

describe('places', () => {
  const at = (city: string, state: string, country?: string) => ({ city, state, ...(country && { country }) });

  test.each([
    [at('Portland', 'OR'), 45.52],
    [at('Portland', 'ME'), 43.67],
    [at('portland', 'Or'), 45.52],
    [at('São Paulo', 'SP', 'BR'), -23.56],
    [at('St. Louis', 'MO'), 38.63],
    [at('El Paso', 'Texas'), 31.78],
    [at('Windsor', 'ON', 'CA'), 42.33],
    [at('windsor', 'nova scotia', 'CA'), 44.98],
    [at('Windsor', 'ca-ns', 'CA'), 44.98],
    [at('Québec', 'Quebec', 'CA'), 46.84],
    [at('Washington', 'D.C.'), 38.9],
    [at('Tijuana', 'BC', 'MX'), 32.5],
    [at('Frankfurt', 'Hesse', 'DE'), 50.1],
    [at('Frankfurt', '', 'DE'), 50.1], // in all of the country, clocks are the same
    [at('Łódź', 'lodzkie', 'PL'), 51.77],
    [at('Barcelona', 'ES-CT', 'ES'), 41.38],
    [at('Lyon', 'Auvergne-Rhône-Alpes', 'FR'), 45.77], // a region that the data do not have
  ])('%o is found', (address, latitude) => {
    expect(placeOf(address)?.lat).toBeCloseTo(latitude, 1);
  });

  test.each([
    ...[at('Portland', 'TX'), at('Portland', ''), at('Nowhere', 'WA'), at('Chicago', '')],
    at('Chhatrapati Sambhajinagar', '', 'IN'), // two cities
    ...[at('Kingston', 'NS', 'CA'), at('Kingston', '', 'CA'), at('Kingston', 'QLD', 'AU'), at('Frankfurt', 'BB', 'DE')],
  ])('%o is not guessed', (address) => {
    expect(placeOf(address)).toBeUndefined();
  });

  test.each([
    [at('Portland', 'OR'), 'America/Los_Angeles'],
    [at('Hamlet', 'WA'), 'America/Los_Angeles'], // the whole state
    [at('Hamlet', 'OR'), undefined], // two time zones
    [at('Hamlet', 'AZ'), undefined], // part of it has summer time
    [at('Weiler', 'BY', 'FR'), 'Europe/Paris'],
    [at('Hamlet', 'ON', 'CA'), undefined],
    [at('Kingston', 'ON', 'CA'), 'America/Toronto'],
    [at('Kingston', 'NS', 'CA'), 'America/Halifax'],
    [at('Hamilton', 'Nova Scotia', 'CA'), 'America/Halifax'],
    [at('Kingston', '', 'CA'), undefined],
    [at('Kingston', 'Queensland', 'AU'), 'Australia/Brisbane'],
    [at('Kingston', 'tas', 'AU'), 'Australia/Hobart'],
    [at('Zhanjiang', 'Guangdong', 'CN'), 'Asia/Shanghai'],
    [at('Dunhuang', 'GS', 'CN'), 'Asia/Shanghai'],
    [at('Yiwu', 'Zhejiang', 'CN'), 'Asia/Shanghai'],
    [at('Ciudad Juárez', 'CHH', 'MX'), 'America/Ciudad_Juarez'],
    [at('Punta Arenas', 'Magallanes', 'CL'), 'America/Punta_Arenas'],
    [at('El Paso', 'Texas'), 'America/Denver'],
    [at('Aldea', 'Canary Islands', 'ES'), 'Atlantic/Canary'],
    [at('Pueblo', 'Alicante', 'ES'), 'Europe/Madrid'], // a province of a region
    [at('Pueblo', '', 'ES'), undefined],
    [at('Weiler', '', 'DE'), 'Europe/Berlin'], // two zones of one time
    [at('Hamlet', '', 'ZZ'), undefined],
  ])('the time zone of %o is %s', (address, zone) => {
    expect(zoneOf(address)).toBe(zone);
  });
});
