import { gzipSync } from 'node:zlib';
import { frame } from '@waybill/pages/map/area';
import { densestRegion } from '@waybill/pages/map/region';
import { pathOf } from '@waybill/pages/map/ring';
import { placeOf, zoneOf } from '@waybill/pages/places/places';
import type { Point } from '@waybill/pages/places/sphere';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { describe, expect, test } from 'vitest';
import { changed, now, onTheWay, states } from './tracking-views.ts';

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

const cities: Record<string, Point> = {
  ...{ Seattle: { lat: 47.6, lng: -122.3 }, Chicago: { lat: 41.9, lng: -87.6 }, Miami: { lat: 25.8, lng: -80.2 } },
  ...{ Boston: { lat: 42.4, lng: -71.1 }, Dublin: { lat: 53.3, lng: -6.3 }, Hamburg: { lat: 53.6, lng: 10 } },
  ...{ Istanbul: { lat: 41, lng: 29 }, Suva: { lat: -18.1, lng: 178.4 }, Apia: { lat: -13.8, lng: -171.8 } },
};

test.each([
  ['Seattle Miami Boston', 'Seattle Miami Boston'], // from coast to coast
  ['Seattle Hamburg Miami', 'Seattle Miami'],
  ['Seattle Hamburg Miami Istanbul Dublin', 'Hamburg Istanbul Dublin'],
  ['Suva Seattle Apia Hamburg', 'Suva Apia'], // on both sides of the date line
  ['Miami', 'Miami'],
])('of shipments in %s, the region with the most has %s', (all, expected) => {
  const points = all.split(' ').map((name) => ({ name, lat: 0, lng: 0, ...cities[name] }));
  const region = new Set(densestRegion(points));
  expect(points.filter((point) => region.has(point)).map(({ name }) => name)).toEqual(expected.split(' '));
});

test('the map shows the route from Tacoma southwards, the current location, and the way to Portland', () => {
  const map = mapOf(onTheWay);
  const route = pointsOf(map, 'route');
  expect(route).toHaveLength(5);
  expect(route.map(({ y }) => y)).toEqual(route.map(({ y }) => y).toSorted((a, b) => a - b));
  const ahead = pointsOf(map, 'ahead');
  expect(ahead[0]).toEqual(route.at(-1));
  expect(map).toContain(`class="now" cx="${ahead[0]?.x}" cy="${ahead[0]?.y}"`);
  for (const name of ['Tacoma', 'Portland', 'Longview', 'Yakima']) expect(map).toContain(`>${name}</text>`);
  const after = mapOf(states.delivered);
  expect(pointsOf(after, 'route')).toHaveLength(5);
  expect(after).not.toMatch(/class="(now|ahead)"/);
  for (const { x, y } of [...route, ...ahead]) expect(x > 50 && x < 670 && y > 30 && y < 330).toBe(true);
  // For screen readers.
  expect(map).toContain('role="img" aria-labelledby="map-title map-text"');
  expect(map).toContain('<title id="map-title">Map of the route</title>');
  expect(map).toContain('From Tacoma to Portland. Last seen: Vancouver, WA.');
});

test('a map that would lack the end of the route is not shown, and the page says why', () => {
  const toNowhere = { ...onTheWay, shipment: between(['Tacoma', 'WA', 'US'], ['Elsewhere', 'ZZ', 'US']).shipment };
  expect(mapOf(toNowhere)).toBe('');
  const { html } = trackingPage(toNowhere, { language: 'en', now });
  expect(html).toContain('No map is shown, because the location of Elsewhere, ZZ is not known.');
  const fromNowhere = between(['Elsewhere', 'ZZ', 'US'], ['Tacoma', 'WA', 'US']);
  expect(mapOf(fromNowhere)).toContain('>Tacoma</text>');
  expect(trackingPage(fromNowhere, { language: 'de', now }).html).toContain('Elsewhere, ZZ ist nicht auf der Karte');
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

test('a route of thousands of positions is drawn with at most 60 points, from the first to the last', () => {
  const updated_at = now.toISOString();
  const positionAt = (index: number) => ({ lat: 47.2 - index * 0.0003, lng: -122.6, updated_at });
  const positions = Array.from({ length: 5000 }, (_, index) => positionAt(index));
  const map = mapOf({ ...onTheWay, positions });
  const route = pointsOf(map, 'route');
  expect(route.length).toBeGreaterThan(30);
  expect(route.length).toBeLessThanOrEqual(60);
  expect(route.at(-1)).toEqual(pointsOf(map, 'ahead')[0]);
});

test('the tiles are those of the place and cover the map, and only their server is permitted', () => {
  const tiles = { url: 'https://tiles.example.com/{z}/{x}/{y}.png?key=one', credit: '© The mapmakers' };
  const { html, headers } = trackingPage(onTheWay, { language: 'en', now, tiles });
  const matches = [...html.matchAll(/<image href="([^"]+)" x="([^"]+)" y="([^"]+)" width="256" height="256"/g)];
  const images = matches.map(([, href = '', x, y]) => {
    const [, z = 0, column, row] = /\/(\d+)\/(\d+)\/(\d+)\.png\?key=one$/.exec(href)?.map(Number) ?? [];
    return { x: Number(x), y: Number(y), z, column, row };
  });
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
  expect(headers['content-security-policy']).toContain("img-src 'self' data: https://tiles.example.com;");
  const without = trackingPage(onTheWay, { language: 'en', now });
  expect(without.headers['content-security-policy']).toContain("img-src 'self' data:;");
  expect(without.html).not.toContain('<image');
});

describe('places', () => {
  /** @param text city, state, country, postal code */
  const at = (text: string) => {
    const [city = '', state = '', country, zip] = text.split(', ');
    return { city, state, ...(country && { country }), ...(zip && { zip }) };
  };

  test.each([
    ['portland, Or', 45.52],
    ['Washington, D.C.', 38.9],
    ['Frankfurt, Hesse, DE', 50.1],
    ['Frankfurt, , DE', 50.1], // by far the largest of the name
    ['Lisbon, , PT', 38.72], // the only one, in a country with several time zones
    ['Łódź, lodzkie, PL', 51.77],
    ['Lyon, Rhône, FR', 45.77], // a part of the region
    ['Portland, TX', 27.88],
    ['Fontana, CA', 34.09],
    ['Plainfield, IN', 39.7],
    ['NYC, NY', 40.71],
    ['Brooklyn, New York', 40.65],
    ['Saint Paul, MN', 44.95],
    ['N. Charleston, SC', 32.87],
    ['München, , DE', 48.14],
    ['MUENCHEN, Bayern, DE', 48.14],
    ['Köln, , DE', 50.94],
    ['Wien 10, , AT', 48.21],
    ['Frankfurt/Main, , DE', 50.11],
    ['Frankfurt a. M., HE, DE', 50.11],
    ['Frankfurt (Oder), , DE', 52.34],
    ['Frankfurt, BB, DE', 52.34],
    ['Giessen, , DE', 50.58],
    ['Sankt Gallen, , CH', 47.42],
    ['St. Pölten, , AT', 48.2],
    ['Biel/Bienne, , CH', 47.14],
    ['Hamburg-Wilhelmsburg, , DE', 53.5], // a part of it
    ['Münster-Sarmsheim, , DE', 49.94], // no part of Münster
    ['Paris Cedex 08, , FR', 48.86],
    ['Den Bosch, , NL', 51.69],
    ['København, , DK', 55.68],
    ['上海, , CN', 31.23],
    ['广州市, 广东省, CN', 23.13],
    ['千代田区, 東京都, JP', 35.69],
    ['강남구, 서울특별시, KR', 37.57],
    ['г. Москва, Москва, RU', 55.75],
    ['ΑΘΗΝΑ, , GR', 37.98],
    ['القاهرة, , EG', 30.04],
    ['Breinigsville, PA, US, 18031', 40.54],
    ['Lebec, CA, US, 93243-0001', 34.84],
    ['North York, ON, CA, M2N 5M9', 43.7],
    ['San Juan, PR', 18.47],
    ['Isla Verde, Puerto Rico, US, 00979', 18.44],
    ['Biel, , CH', 47.14],
    ["'s-Gravenhage, , NL", 52.08],
    ['D-20457 Hamburg, , DE', 53.55],
    ['Cd. Juárez, CHIH, MX', 31.72],
    ['Kadıköy, İstanbul, TR', 41.01],
    ['TP. Hồ Chí Minh, , VN', 10.82],
    ['横浜市西区, 神奈川県, JP', 35.43],
    ['广东省深圳市, , CN', 22.55],
    ['Mechelen, , BE', 51.03], // not Mechelen-aan-de-Maas
    ['Panama City, , PA', 8.99],
    ['г Казань, , RU', 55.79],
    ['경기도 성남시, , KR', 37.44],
    ['W Palm Beach, FL', 26.72],
    ['Springfield, , US, 62701', 39.8], // of several, the one with the ZIP code
  ])('the place of "%s" is found at the latitude %d', (address, latitude) => {
    expect(placeOf(at(address))?.lat).toBeCloseTo(latitude, 1);
  });

  test('a place is not guessed among several, or from another state', () => {
    const none = ['Portland, ', 'Nowhere, WA', 'Kingston, NS, CA', 'Halle, , DE', 'X, ME, US, 1'];
    none.push('San Nowhere, CA'); // no part of San Diego, whose airport is SAN
    for (const address of none) expect(placeOf(at(address)), address).toBeUndefined();
  });

  test.each([
    ['Portland, OR', 'America/Los_Angeles'],
    ['Kingston, NS, CA', 'America/Halifax'], // not that of the larger one
    ['El Paso, Texas', 'America/Denver'], // not that of most of Texas
    ['Hong Kong, , HK', 'Asia/Hong_Kong'],
    ['Hamlet, OR', undefined], // two time zones
    ['Hamlet, AZ', undefined], // part of it has summer time
    ['Plainfield, IN', 'America/Indiana/Indianapolis'],
    ['Hamlet, OR, US, 97914', 'America/Boise'], // Ontario, in the east
    ['上海, 上海市, CN', 'Asia/Shanghai'],
    ['Weiler, BY, FR', 'Europe/Paris'],
    ['Punta Arenas, Magallanes, CL', 'America/Punta_Arenas'],
    ['Pueblo, Alicante, ES', 'Europe/Madrid'], // a province of a region
    ['Weiler, , DE', 'Europe/Berlin'], // two zones of one time
    ['Hamlet, , ZZ', undefined],
  ])('the time zone of %s is %s', (address, zone) => {
    expect(zoneOf(at(address))).toBe(zone);
  });
});
