import { syncBuiltinESMExports } from 'node:module';
import zlib, { gzipSync } from 'node:zlib';
import { boardFiles } from '@waybill/pages/board/files';
import { driverFiles } from '@waybill/pages/driver/files';
import { languages } from '@waybill/pages/messages/languages';
import { expect, onTestFinished, vi } from 'vitest';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { test } from '../fixtures/test.ts';

const cdn = 'https://cdn.example.com';

test('every file of the board and of the page of a driver forbids other sources, indexing and referrers', async ({
  service: { baseUrl, origin },
}) => {
  for (const path of Object.keys({ ...boardFiles(baseUrl, cdn), ...driverFiles(baseUrl) })) {
    const { status, headers } = await fetch(`${origin}${path}`);
    expect(status, path).toBe(200);
    expect(headers.get('content-security-policy'), path).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(headers.get('x-robots-tag'), path).toBe('noindex, nofollow');
  }
  expect((await fetch(`${origin}/d`)).url).toBe(`${origin}/d/`);
});

test.for([
  ['city=Denver&state=CO&country=US', 'America/Denver'],
  ['city=Berlin&state=BE&country=DE', 'Europe/Berlin'],
  ['city=Nowhere&state=TX&country=US', null],
  ['city=Denver&state=CO&country=USA', null],
  ['city=Denver&city=Paris&state=CO&country=US', null],
  [`city=${'a'.repeat(101)}&state=CO&country=US`, null],
  ['', null],
] as const)('the time zone of the address %s is %s', async ([query, zone], { service: { origin } }) => {
  const response = await fetch(`${origin}/d/zone?${query}`);
  expect([response.status, await response.json()]).toEqual([200, { zone }]);
});

test('no file that needs no key is compressed a second time', async ({ service: { baseUrl, origin } }) => {
  notWithCluster('it watches the process of the service');
  const names = ['brotliCompress', 'brotliCompressSync', 'gzip', 'gzipSync'] as const;
  const spies = names.map((name) => vi.spyOn(zlib, name));
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const paths = ['/openapi.json', ...Object.keys({ ...boardFiles(baseUrl, cdn), ...driverFiles(baseUrl) })];
  const tags = new Set<string | null>();
  const readAll = async () => {
    for (const path of paths)
      for (const coding of ['br', 'gzip', 'identity']) {
        const { headers } = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': coding } });
        expect(headers.get('content-encoding') ?? 'identity', path).toBe(coding);
        tags.add(headers.get('etag'));
        const known = { 'accept-encoding': coding, 'if-none-match': headers.get('etag') ?? '' };
        expect((await fetch(`${origin}${path}`, { headers: known })).status, path).toBe(304);
      }
  };
  await readAll();
  // The icon of both pages is the same.
  expect(tags.size).toBe(3 * (paths.length - 1));
  for (const spy of spies) spy.mockClear();
  await readAll();
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

test('the board permits pictures of the CDN, names its licenses, and is small', () => {
  const files = boardFiles('http://127.0.0.1/v1', `${cdn}/v1`);
  expect(files['/board']?.headers['content-security-policy']).toContain(`img-src 'self' ${cdn};`);
  expect(files['/board/licenses.txt']?.body).toMatch(/preact[\s\S]*us-atlas/);
  const isOfOneLanguage = (path: string) => !/\/[a-z]{2}\.js$/.test(path) || path.endsWith('/fr.js');
  const code = Object.entries(files).filter(([path]) => !path.endsWith('.txt') && isOfOneLanguage(path));
  expect(code.reduce((sum, [, { body }]) => sum + gzipSync(body).length, 0)).toBeLessThan(90_000);
});

test('the driver page and the board contain their own texts, and none of another page', () => {
  const { tracking, driver, board } = languages.en;
  const all = [tracking.handoverHint, driver.kept, board.searchHelp];
  const textsIn = (files: object) => all.filter((text) => JSON.stringify(files).includes(text));
  expect(textsIn(driverFiles('http://127.0.0.1/v1'))).toEqual([driver.kept]);
  expect(textsIn(boardFiles('http://127.0.0.1/v1', cdn))).toEqual([board.searchHelp]);
});
