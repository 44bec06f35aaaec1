import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { boardFiles } from '@waybill/pages/board/files';
import { driverFiles } from '@waybill/pages/driver/files';
import { expect, onTestFinished, vi } from 'vitest';
import { test } from '../fixtures/test.ts';

const cdn = 'https://cdn.example.com';

test('each file forbids other sources, indexing and referrers, and is compressed once', async ({ service }) => {
  const { baseUrl, origin } = service;
  const names = ['brotliCompress', 'brotliCompressSync', 'gzip', 'gzipSync'] as const;
  const spies = names.map((name) => vi.spyOn(zlib, name));
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const pages = Object.keys({ ...boardFiles(baseUrl, cdn), ...driverFiles(baseUrl) });
  const tags = new Set<string | null>();
  const readAll = async () => {
    for (const path of ['/openapi.json', ...pages])
      for (const coding of ['br', 'gzip', 'identity']) {
        const { status, headers } = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': coding } });
        expect([status, headers.get('content-encoding') ?? 'identity'], path).toEqual([200, coding]);
        tags.add(headers.get('etag'));
        const known = { 'accept-encoding': coding, 'if-none-match': headers.get('etag') ?? '' };
        expect((await fetch(`${origin}${path}`, { headers: known })).status, path).toBe(304);
        if (path === '/openapi.json') continue;
        expect(headers.get('content-security-policy'), path).toMatch(/^default-src 'none'; script-src 'self';/);
        expect(headers.get('referrer-policy'), path).toBe('no-referrer');
        expect(headers.get('x-robots-tag'), path).toBe('noindex, nofollow');
      }
  };
  await readAll();
  expect(tags.size).toBe(3 * pages.length); // the icon of both pages is the same
  for (const spy of spies) spy.mockClear();
  await readAll();
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  expect((await fetch(`${origin}/d`)).url).toBe(`${origin}/d/`);
});

test.for([
  ['d/zone?city=Denver&state=CO&country=US', { zone: 'America/Denver' }],
  ['d/zone?city=Nowhere&state=TX&country=US&zip=79901', { zone: 'America/Denver' }],
  ['d/zone?city=Denver&city=Paris&state=CO&country=US', { zone: null }],
  [`d/zone?city=${'a'.repeat(101)}&state=CO&country=US`, { zone: null }],
  ['d/zone', { zone: null }],
  ['board/city?city=Denver&state=CO&country=US', { location: { lat: 39.74, lng: -104.98 } }],
  ['board/city?city=Nowhere&state=TX&country=US', { location: null }],
  ['board/near?lat=45.4&lng=-122.7', { city: 'Portland, OR' }],
  ['board/near?lat=0.5&lng=-140', { city: null }], // in the Pacific
  ['board/near?lat=45.4&lng=west', { city: null }],
] as const)('the places that pages ask for at /%s are %o', async ([query, places], { service: { origin } }) => {
  const response = await fetch(`${origin}/${query}`);
  expect([response.status, await response.json()]).toEqual([200, places]);
});
