import { mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { type ProblemKind, problems } from '@waybill/contract/problems';
import { expect, onTestFinished } from 'vitest';
import { operationOf, workflows } from '../contract/workflows/workflows.ts';
import { problemOf } from '../fixtures/http.ts';
import { startService } from '../fixtures/service.ts';
import { allPages, linksIn, read, test, transferSize } from './site.ts';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

test.for(Object.entries<ProblemKind>(problems))(
  'the error code %s has a page',
  async ([code, { title, status }], { service }) => {
    const page = await read(`${service.origin}/docs/errors/${code}`);
    for (const text of [`<code>${code}</code>`, `<code>${status}</code>`]) expect(page).toContain(text);
    expect(page).toMatch(new RegExp(`<h1[^>]*>${title}`));
  },
);

test('every link of every page resolves to a page and an anchor on it', async ({ service }) => {
  const pages = new Map<string, string>();
  const waiting = [new URL(`${service.origin}/docs/`)];
  for (const { protocol, origin, pathname, hash } of waiting) {
    expect(protocol).toMatch(/^https?:$/);
    if (origin !== service.origin) continue;
    const url = origin + pathname;
    if (/\.(txt|json)$/.test(pathname)) {
      expect((await fetch(url)).status, url).toBe(200);
      continue;
    }
    const source = pages.get(url) ?? (await read(url));
    if (!pages.has(url)) waiting.push(...linksIn(source, url));
    pages.set(url, source);
    if (hash !== '') expect(source, `${url}${hash}`).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
  }
  const paths = [...pages.keys()].map((url) => url.slice(`${service.origin}/docs/`.length));
  const operationIds = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const expected = [
    ...Object.keys(problems).map((code) => `errors/${code}`),
    ...operationIds.map((id) => `reference/${id}`),
    ...workflows.map(({ workflowId }) => `workflows/${workflowId}`),
    'changelog',
    'guides/mock',
    'guides/tests',
    'lifecycle',
    'quickstart',
  ];
  expect(paths).toEqual(expect.arrayContaining(expected));
});

test('the page of a workflow shows the operation, request and status of every step', async ({ service }) => {
  for (const { workflowId, steps } of workflows) {
    const text = await (await fetch(`${service.origin}/docs/workflows/${workflowId}.md`)).text();
    const sections = text.split(/^## (?=\d)/m).slice(1);
    expect(
      sections.map((section) => ({
        name: /^\d+\. \w+/.exec(section)?.[0],
        operation: /Operation: \[`(\w+)/.exec(section)?.[1],
        method: /```http\n([A-Z]+) /.exec(section)?.[1],
        status: /^- Status `(\d+)/m.exec(section)?.[1],
      })),
    ).toEqual(
      steps.map((step, index) => ({
        name: `${index + 1}. ${step.stepId}`,
        operation: operationOf(step)?.id,
        method: operationOf(step)?.method,
        status: step.successCriteria?.[0]?.condition.slice(-3),
      })),
    );
    // Nothing is left of Arazzo's own signs.
    expect(text).not.toMatch(/\$(steps|inputs|response|statusCode|file|components|request)/);
  }
});

test('every page is available as Markdown without markup of the site', async ({ service }) => {
  const index = await (await fetch(`${service.origin}/docs/llms.txt`)).text();
  const links = [...index.matchAll(/\]\((\/docs\/\S+)\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(Object.keys(problems).length);
  for (const path of links) {
    const response = await fetch(service.origin + path);
    const text = await response.text();
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(text).toMatch(/^# \S/);
    expect(text, path).not.toMatch(/<(b|div|i|main|span|details|TryIt)[ >]|^:::|^<<<|{{/m);
    await read((service.origin + path).replace(/(index)?\.md$/, ''));
  }
});

test('the reference names the version of the contract', async ({ service }) => {
  expect(await read(`${service.origin}/docs/reference/`)).toContain(`version ${contract.info.version} of the API`);
});

test("the docs serve the service's contract document", async ({ service }) => {
  expect(await (await fetch(`${service.origin}/docs/openapi.json`)).json()).toEqual(contract);
});

test('the root URL redirects to the docs, a folder to its index, and a page with a slash to the page', async ({
  service,
}) => {
  for (const [path, expected] of [
    ['', 302],
    ['/docs', 301],
    ['/docs/errors', 301],
    ['/docs/quickstart/', 301],
    ['/docs/errors/not_found//', 301],
  ] as const) {
    const { status, headers } = await fetch(service.origin + path, { redirect: 'manual' });
    const { pathname } = new URL(headers.get('location') ?? '', service.origin);
    const target = path.endsWith('/') ? path.replace(/\/+$/, '') : path === '' ? '/docs/' : `${path}/`;
    expect([path, status, pathname]).toEqual([path, expected, target]);
  }
});

test('a nonexistent page returns 404, as a page for browsers and as a problem for others', async ({ service }) => {
  const impossibleNames = ['%00', 'errors/a%00', 'a/'.repeat(4000), 'a'.repeat(256)];
  const names = ['nothing', 'errors/nothing', '.env', '%2e%2e/package.json', ...impossibleNames];
  for (const path of names.map((name) => `/docs/${name}`)) {
    expect(await problemOf(await fetch(service.origin + path))).toMatchObject({ code: 'not_found' });
    const response = await fetch(service.origin + path, asBrowser);
    const isDocs = !path.includes('%2e'); // the URL parser resolves it
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      404,
      isDocs ? 'text/html; charset=utf-8' : 'application/problem+json',
    ]);
  }
});

test('pages are compressed for clients that accept it and decompress to the same bytes', async ({ service }) => {
  const get = (path: string, encoding: string) =>
    fetch(service.origin + path, { headers: { 'accept-encoding': encoding } });
  for (const path of ['/docs/', '/docs/guides/retries', '/docs/errors/not_found']) {
    const plain = await (await get(path, 'identity')).text();
    for (const encoding of ['br', 'gzip']) {
      const response = await get(path, encoding);
      expect([path, response.headers.get('content-encoding')]).toEqual([path, encoding]);
      expect(response.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toBe(plain);
    }
  }
});

test('every page with its scripts, styles and fonts is at most 250 kB, compressed', async ({ service }) => {
  const sizes = new Map<string, Promise<number>>();
  /** The bytes of a response as they are sent, which `fetch` decompresses. */
  const sizeOf = (path: string): Promise<number> => {
    const size = sizes.get(path) ?? transferSize(service.origin + path);
    sizes.set(path, size);
    return size;
  };
  const paths = await allPages();
  expect(paths.length).toBeGreaterThan(Object.keys(problems).length);
  for (const path of paths) {
    const page = `/docs/${path}`;
    const source = await read(service.origin + page);
    const assets = [...source.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/docs\/[^"]+)"/g)].map(
      ([, url = '']) => url,
    );
    expect(assets.length, page).toBeGreaterThan(3);
    expect(
      assets.filter((asset) => asset.endsWith('.woff2')),
      page,
    ).toHaveLength(2); // the fonts count, too
    const all = await Promise.all([page, ...new Set(assets)].map(sizeOf));
    const bytes = all.reduce((sum, size) => sum + size, 0);
    expect(bytes, page).toBeGreaterThan(10_000);
    expect(bytes, page).toBeLessThan(250_000);
  }
});

test('pages are always fetched again, hashed assets are cached for good, and no script is inline', async ({
  service,
}) => {
  const { headers } = await fetch(`${service.origin}/docs/`);
  expect(headers.get('cache-control')).toBe('no-cache');
  // The files of every release have the same modification time.
  expect(headers.has('last-modified')).toBe(false);
  expect(headers.get('content-security-policy')).toMatch(/(^|;)script-src 'self'(;|$)/);
  const page = await read(`${service.origin}/docs/`);
  const assets = [...page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(assets.length).toBeGreaterThan(3);
  for (const path of assets) {
    const asset = await fetch(service.origin + path);
    expect([path, asset.status, asset.headers.get('cache-control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('a page has an ETag for each coding, and If-None-Match with it returns 304', async ({ service }) => {
  const get = (coding: string, etag = '"other"') =>
    fetch(`${service.origin}/docs/quickstart`, { headers: { 'accept-encoding': coding, 'if-none-match': etag } });
  const found: string[] = [];
  for (const coding of ['identity', 'gzip', 'br']) {
    const first = await get(coding);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
    const second = await get(coding, `"another", W/${etag}`);
    expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, etag, '']);
    for (const name of ['cache-control', 'vary']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    found.push(etag);
  }
  expect(new Set(found).size).toBe(3);
  expect((await get('br', found[0])).status).toBe(200);
});

test('the docs are a page that reloads itself while they are built, then have the ETag of their content', async () => {
  const DOCS_DIR = await mkdtemp(join(tmpdir(), 'waybill-docs-'));
  onTestFinished(() => rm(DOCS_DIR, { recursive: true }));
  await using service = await startService({ DOCS_DIR });
  for (const path of ['', 'quickstart']) {
    const building = await fetch(`${service.origin}/docs/${path}`, asBrowser);
    expect([building.status, building.headers.get('retry-after')]).toEqual([503, '2']);
    expect(building.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await building.text()).toMatch(/<meta http-equiv="refresh" content="2">.*being built/s);
  }
  expect(await problemOf(await fetch(`${service.origin}/docs/`))).toMatchObject({ code: 'unavailable' });

  const tags: (string | null)[] = [];
  for (const text of ['<p>One', '<p>Two', '<p>One']) {
    // As files of the same release do, all have the same size and modification time.
    await writeFile(join(DOCS_DIR, 'draft'), text);
    await utimes(join(DOCS_DIR, 'draft'), 1, 1);
    await rename(join(DOCS_DIR, 'draft'), join(DOCS_DIR, 'index.html'));
    const response = await fetch(`${service.origin}/docs/`, asBrowser);
    expect([response.status, await response.text()]).toEqual([200, text]);
    tags.push(response.headers.get('etag'));
  }
  expect(tags[1]).not.toBe(tags[0]);
  expect(tags[2]).toBe(tags[0]);

  // A copy into the folder writes into the same file. File systems have ticks, so it may need more than one attempt.
  const file = join(DOCS_DIR, 'index.html');
  const { ctimeMs } = await stat(file);
  do await writeFile(file, '<p>Two');
  while ((await stat(file)).ctimeMs === ctimeMs);
  expect((await fetch(`${service.origin}/docs/`, asBrowser)).headers.get('etag')).toBe(tags[1]);
});
