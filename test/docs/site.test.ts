import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { type ProblemKind, problems } from '@waybill/contract/problems';
import { expect, onTestFinished } from 'vitest';
import { operationOf, workflows } from '../contract/workflows/workflows.ts';
import { operationIds } from '../fixtures/contract/contract.ts';
import { exchange } from '../fixtures/requests/raw-http.ts';
import { problemOf } from '../fixtures/requests/send.ts';
import { startService } from '../fixtures/service/service.ts';
import { allPages, test } from './built-site.ts';
import { root, read as textsOf } from './code-blocks.ts';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

/** Reads a page that must be there. */
async function read(url: string): Promise<string> {
  const response = await fetch(url);
  expect([url, response.status, response.headers.get('content-type')]).toEqual([url, 200, 'text/html; charset=utf-8']);
  return response.text();
}

test('the pages show error codes, the contract, the statuses and their transitions', async ({ service }) => {
  const docs = `${service.origin}/docs`;
  for (const [code, { title, status }] of Object.entries<ProblemKind>(problems)) {
    const page = await read(`${docs}/errors/${code}`);
    for (const text of [`<code>${code}</code>`, `<code>${status}</code>`]) expect(page).toContain(text);
    expect(page).toMatch(new RegExp(`<h1[^>]*>${title}`));
  }
  expect(await read(`${docs}/reference/`)).toContain(`version ${contract.info.version} of the API`);
  expect(await (await fetch(`${docs}/openapi.json`)).json()).toEqual(contract);
  const events = await (await fetch(`${docs}/reference/listEvents.md`)).text(); // of fields that several types of events have
  for (const field of ['shipment.status`** string', 'webhook_endpoint.types`** array of strings'])
    expect(events).toContain(`**\`data[].data.${field}`);
  const landing = await read(`${docs}/`);
  expect(landing.indexOf('201 Created')).toBeGreaterThan(landing.indexOf('createShipment'));
  const page = await read(`${docs}/lifecycle`);
  const edge = /class="edge"><title>(\w+)-&gt;(\w+)<\/title>(.*?)<\/g>/gs;
  const drawn = [...page.matchAll(edge)].map(([, from, to, label = '']) => {
    const lines = [...label.matchAll(/<text.*?> ?(.*?) ?<\/text>/g)].map(([, line]) => line);
    return `${from} ${to} ${lines.join('').replace(' or', ' or ')}`;
  });
  const edges = [
    ...['start scheduled createShipment', 'scheduled dispatched', 'dispatched picked_up', 'picked_up in_transit'],
    ...['scheduled cancelled cancelShipment', 'dispatched cancelled cancelShipment'],
    ...['in_transit delivered', 'picked_up returned', 'in_transit returned'].map((ends) => {
      return `${ends} submitProofOfDelivery or recordTrackingEvent`;
    }),
    ...['dispatched lost', 'picked_up lost', 'in_transit lost'],
  ].map((edge) => (edge.split(' ').length > 2 ? edge : `${edge} recordTrackingEvent`));
  expect(drawn.sort()).toEqual(edges.sort());
});

test('every link of every page and of every Markdown file resolves', async ({ service }) => {
  const pages = new Map<string, string>();
  const waiting = [new URL(`${service.origin}/docs/`)];
  for (const { protocol, origin, pathname, hash } of waiting) {
    expect(protocol).toMatch(/^https?:$/);
    if (origin !== service.origin) continue;
    const url = origin + pathname;
    if (/\.(txt|json|md)$/.test(pathname)) {
      expect((await fetch(url)).status, url).toBe(200);
      continue;
    }
    const source = pages.get(url) ?? (await read(url));
    if (!pages.has(url))
      for (const [, href = ''] of source.matchAll(/<a [^>]*href="([^"]+)"/g)) waiting.push(new URL(href, url));
    pages.set(url, source);
    if (hash !== '') expect(source, `${url}${hash}`).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
  }
  const paths = [...pages.keys()].map((url) => url.slice(`${service.origin}/docs/`.length));
  const expected = [
    ...Object.keys(problems).map((code) => `errors/${code}`),
    ...operationIds.map((id) => `reference/${id}`),
    ...workflows.map(({ workflowId }) => `workflows/${workflowId}`),
    ...['changelog', 'guides/mock', 'guides/tests', 'lifecycle', 'quickstart'],
  ];
  expect(paths).toEqual(expect.arrayContaining(expected));
  for (const [file, text] of Object.entries(textsOf('**/*.md'))) {
    if (file.startsWith('packages/docs/')) continue; // its links are URLs of the site
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const { href } = new URL(link, new URL(file, root));
      if (file.startsWith('deploy/guides/')) expect(href, 'not in the release').toContain(`${root}deploy/`);
      expect(existsSync(new URL(href)), `${link} of ${file}`).toBe(true);
    }
  }
});

test('the page of a workflow shows the operation, request and status of every step', async ({ service }) => {
  for (const { workflowId, steps } of workflows) {
    const text = await (await fetch(`${service.origin}/docs/workflows/${workflowId}.md`)).text();
    const step = /^## (\d+\. \w+).*?Operation: \[`(\w+).*?```http\n([A-Z]+) .*?^- Status `(\d+)/gms;
    expect([...text.matchAll(step)].map(([, ...found]) => found)).toEqual(
      steps.map((step, index) => {
        const { id, method } = operationOf(step) ?? {};
        return [`${index + 1}. ${step.stepId}`, id, method, step.successCriteria?.[0]?.condition.slice(-3)];
      }),
    );
    // Nothing is left of Arazzo's own signs.
    expect(text).not.toMatch(/\$(steps|inputs|response|statusCode|file|components|request)/);
  }
});

test('every page is available as Markdown without markup of the site', async ({ service: { origin } }) => {
  const index = await (await fetch(`${origin}/docs/llms.txt`)).text();
  const links = [...index.matchAll(/\]\((\/docs\/\S+)\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(Object.keys(problems).length);
  for (const path of links) {
    const response = await fetch(origin + path);
    const type = response.headers.get('content-type');
    expect([path, response.status, type]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    const text = await response.text();
    expect(text).toMatch(/^# \S/);
    expect(text, path).not.toMatch(/<(b|div|i|main|span|details|TryIt)[ >]|^:::|^<<<|{{/m);
    await read((origin + path).replace(/(index)?\.md$/, ''));
  }
});

test.for([
  ['', 302, '/docs/'],
  ['/docs', 301, '/docs/'],
  ['/docs/errors', 301, '/docs/errors/'],
  ['/docs/quickstart/', 301, '/docs/quickstart'],
  ['/docs/errors/not_found//', 301, '/docs/errors/not_found'],
] as const)('the path %j redirects with %i to %s', async ([path, expected, target], { service }) => {
  const { status, headers } = await fetch(service.origin + path, { redirect: 'manual' });
  const { pathname } = new URL(headers.get('location') ?? '', service.origin);
  expect([status, pathname]).toEqual([expected, target]);
});

const nonexistent = ['nothing', 'errors/nothing', '.env', '%2e%2e/package.json', 'errors/a%00'];

test('a nonexistent page returns 404, as a page for browsers and a problem for others', async ({ service }) => {
  for (const name of [...nonexistent, 'a/'.repeat(4000), 'a'.repeat(256)]) {
    const url = `${service.origin}/docs/${name}`;
    expect(await problemOf(await fetch(url))).toMatchObject({ code: 'not_found' });
    const { status, headers } = await fetch(url, asBrowser);
    const isDocs = !name.includes('%2e'); // the URL parser resolves it
    const type = isDocs ? 'text/html; charset=utf-8' : 'application/problem+json';
    expect([name, status, headers.get('content-type')]).toEqual([name, 404, type]);
  }
  // What `fetch` would change before it sends it.
  const odd = 'guides//access ./ %2e/ guides/./access errors/../ errors/%2f errors%2f%2f ..%2f %zz guides/access%00';
  for (const path of [...odd.split(' '), `errors${'/'.repeat(500)}`, `${'../'.repeat(300)}x`]) {
    const [response] = await exchange(service, `GET /docs/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([path, response?.status]).toEqual([path, 404]);
  }
});

test('a page is compressed as the client accepts it, and has an ETag for each coding', async ({ service }) => {
  const request = (coding: string, etag = '"other"') =>
    fetch(`${service.origin}/docs/quickstart`, { headers: { 'accept-encoding': coding, 'if-none-match': etag } });
  const plain = await read(`${service.origin}/docs/quickstart`);
  const found: string[] = [];
  for (const coding of ['identity', 'gzip', 'br']) {
    const first = await request(coding);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
    expect(first.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
    expect(first.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    expect(await first.text()).toBe(plain);
    const second = await request(coding, `"another", W/${etag}`);
    expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, etag, '']);
    for (const name of ['cache-control', 'vary']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    found.push(etag);
  }
  expect(new Set(found).size).toBe(3);
  expect((await request('br', found[0])).status).toBe(200);
});

test('every page with its assets is at most 250 kB, compressed, and only they are cached', async ({ service }) => {
  const { origin } = service;
  /** The bytes of a response as they are sent, which `fetch` decompresses. */
  const transferSize = (path: string) =>
    new Promise<number>((resolve, reject) => {
      get(origin + path, { headers: { 'accept-encoding': 'br' } }, async (response) => {
        const isAsset = path.startsWith('/docs/assets/');
        expect(response.headers['cache-control']).toBe(isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
        let size = 0;
        for await (const chunk of response) size += chunk.length;
        resolve(size);
      }).on('error', reject);
    });
  const sizes: Record<string, number> = {};
  const paths = await allPages();
  expect(paths.length).toBeGreaterThan(Object.keys(problems).length);
  for (const page of paths.map((path) => `/docs/${path}`)) {
    const tags = (await read(origin + page)).matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/docs\/[^"]+)"/g);
    const assets = [...tags].map(([, url = '']) => url);
    expect(assets.length, page).toBeGreaterThan(3);
    const fonts = assets.filter((asset) => asset.endsWith('.woff2'));
    expect(fonts, page).toHaveLength(2);
    let bytes = 0;
    for (const path of new Set([page, ...assets])) bytes += sizes[path] ??= await transferSize(path);
    expect(bytes, page).toBeGreaterThan(10_000);
    expect(bytes, page).toBeLessThan(250_000);
  }
  const { headers } = await fetch(`${origin}/docs/`);
  expect(headers.has('last-modified'), 'the files of every release have the same').toBe(false);
  expect(headers.get('content-security-policy')).toMatch(/(^|;)script-src 'self'(;|$)/);
});

test('the docs are a page that reloads itself while they are built, then have the ETag of their content', async () => {
  const DOCS_DIR = await mkdtemp(join(tmpdir(), 'waybill-docs-'));
  onTestFinished(() => rm(DOCS_DIR, { recursive: true }));
  await using service = await startService({ DOCS_DIR });
  const load = (path = '') => fetch(`${service.origin}/docs/${path}`, asBrowser);
  for (const path of ['', 'quickstart']) {
    const building = await load(path);
    expect([building.status, building.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await building.text()).toMatch(/<meta http-equiv="refresh" content="2">.*being built/s);
  }
  expect(await problemOf(await fetch(`${service.origin}/docs/`))).toMatchObject({ code: 'unavailable' });

  const tags: (string | null)[] = [];
  for (const text of ['<p>One', '<p>Two', '<p>One']) {
    // As files of the same release do, all have the same size and modification time.
    await writeFile(join(DOCS_DIR, 'draft'), text);
    await utimes(join(DOCS_DIR, 'draft'), 1, 1);
    await rename(join(DOCS_DIR, 'draft'), join(DOCS_DIR, 'index.html'));
    const response = await load();
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
  expect((await load()).headers.get('etag')).toBe(tags[1]);
});
