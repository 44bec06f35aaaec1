import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { type ProblemKind, problems } from '@waybill/contract/problems';
import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { operationOf, workflows } from '../workflows/workflows.ts';
import { linksIn, read, test } from './site.ts';

test.for(Object.entries<ProblemKind>(problems))(
  'the type of %s resolves to its page, which the error catalogue links to',
  async ([code, { title, status }], { service }) => {
    const page = await read(`${service.origin}/docs/errors/${code}`);
    for (const text of [code, title, String(status)]) expect(page).toContain(text);
    const catalogue = `${service.origin}/docs/errors/`;
    const pages = linksIn(await read(catalogue), catalogue).map(({ pathname }) => pathname);
    expect(pages).toContain(`/docs/errors/${code}.html`);
  },
);

test('every link of the pages resolves to a page and an anchor on it', async ({ service }) => {
  const pages = new Map<string, string>();
  const waiting = [new URL(`${service.origin}/docs/lifecycle.html`)];
  for (const { origin, pathname, hash } of waiting) {
    // The links of the reference are no addresses (see browser.test.ts), and the contract is no page.
    if (origin !== service.origin || pathname.endsWith('.json') || pathname === '/docs/index.html') continue;
    const url = origin + pathname;
    const source = pages.get(url) ?? (await read(url));
    if (!pages.has(url)) waiting.push(...linksIn(source, url));
    pages.set(url, source);
    if (hash !== '') expect(source, url).toContain(`id="${hash.slice(1)}"`);
  }
  expect(pages.size).toBeGreaterThan(Object.keys(problems).length);
});

test('the workflows page shows the operation, request and response of every step', async ({ service }) => {
  const source = await read(`${service.origin}/docs/workflows.html`);
  const sections = source.split('<h2 id="').slice(1);
  expect(sections).toHaveLength(workflows.length);
  for (const { workflowId, steps } of workflows) {
    const section = sections.find((text) => text.startsWith(`${workflowId}"`)) ?? '';
    const shown = section
      .split('<h3>')
      .slice(1)
      .map((text) => ({
        name: /^\d+\. (\w+)/.exec(text)?.[0],
        operation: /<code>(\w+)/.exec(text)?.[1],
        method: /<pre><code>([A-Z]+) /.exec(text)?.[1],
        status: /<span>(\d+)/.exec(text)?.[1],
      }));
    expect(shown).toEqual(
      steps.map((step, index) => ({
        name: `${index + 1}. ${step.stepId}`,
        operation: operationOf(step)?.id,
        method: operationOf(step)?.method,
        status: step.successCriteria?.[0]?.condition.slice(-3),
      })),
    );
  }
  // Nothing is left of Arazzo's own signs.
  expect(source).not.toMatch(/\$(steps|inputs|response|statusCode|file|components|request)/);
});

test("the docs serve the service's contract document", async ({ service }) => {
  expect(await (await fetch(`${service.origin}/docs/openapi.json`)).json()).toEqual(contract);
});

test('the root URL redirects to the docs', async ({ service }) => {
  const { status, headers } = await fetch(service.origin, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs/']);
});

test('a nonexistent page returns 404 as a problem', async ({ service }) => {
  for (const path of ['/docs/nothing', '/docs/errors/nothing', '/docs/.env', '/docs/%2e%2e/package.json']) {
    expect(await problemOf(await fetch(service.origin + path))).toMatchObject({ code: 'not_found' });
  }
});

test('pages are compressed for clients that accept it and decompress to the same bytes', async ({ service }) => {
  const get = (path: string, encoding: string) =>
    fetch(service.origin + path, { headers: { 'accept-encoding': encoding } });
  for (const path of ['/docs/', '/docs/index.html', '/docs/guides.html', '/docs/errors/not_found.html']) {
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
