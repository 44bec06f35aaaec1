import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { type ProblemKind, problems } from '@waybill/contract/problems';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patience } from '../fixtures/patience.ts';
import { type Service, startService } from '../fixtures/service.ts';

const DOCS_DIR = fileURLToPath(new URL('../../packages/docs/dist', import.meta.url));
const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const reason = browser ? '' : ' (skipped: there is no Chromium on this machine; .ci/run installs it)';

let service: Service;
beforeAll(async () => {
  if (!existsSync(DOCS_DIR)) throw new Error('The docs are not built: run `pnpm test`, which builds them first.');
  service = await startService({ DOCS_DIR });
});
afterAll(() => service[Symbol.asyncDispose]());

test.for(Object.entries<ProblemKind>(problems))(
  'the type of %s resolves to its page',
  async ([code, { title, status }]) => {
    const response = await fetch(`${service.origin}/docs/errors/${code}`);
    expect(response.status).toBe(200);
    const page = await response.text();
    for (const words of [code, title, String(status)]) expect(page).toContain(words);
  },
);

test('/openapi.json names the URL that it is served at', async () => {
  const served = await (await fetch(`${service.origin}/openapi.json`)).json();
  const { servers, ...rest } = served as typeof contract;
  expect(servers.map(({ url }) => url)).toEqual([service.baseUrl]);
  const { servers: _, ...own } = contract;
  expect(rest).toEqual(own);
});

describe.skipIf(!browser)(`in a browser${reason}`, () => {
  test('every page loads without an outside request or an error, and the reference has every operation', async () => {
    const chrome = await chromium.launch({
      executablePath: browser ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    });
    try {
      const page = await chrome.newPage();
      const outside: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== service.origin && !['data:', 'blob:'].includes(protocol)) outside.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      for (const path of ['/docs/lifecycle.html', '/docs/errors/', '/docs/errors/not_found']) {
        await page.goto(service.origin + path, { waitUntil: 'load' });
        expect(await page.locator('h1').first().isVisible()).toBe(true);
      }
      await page.goto(`${service.origin}/docs/`, { waitUntil: 'load' });
      for (const { name } of contract.tags) {
        await page.locator('a', { hasText: name }).first().click();
        const operations = operationsOf(name);
        expect(operations.length).toBeGreaterThan(0);
        await vi.waitFor(async () => {
          const links = (await page.locator('a').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
          expect(links).toEqual(expect.arrayContaining(operations));
        }, patience);
      }
      expect(outside).toEqual([]);
      expect(errors).toEqual([]);
    } finally {
      await chrome.close();
    }
  });
});

/** A tag's operations as the sidebar names them: `List shipments GET`. */
function operationsOf(tag: string): string[] {
  const paths = Object.values(contract.paths) as unknown as Record<string, { tags: string[]; summary: string }>[];
  return paths
    .flatMap((path) => Object.entries(path))
    .filter(([, { tags }]) => tags.includes(tag))
    .map(([method, { summary }]) => `${summary} ${method.toUpperCase()}`);
}
