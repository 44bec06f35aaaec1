import { existsSync } from 'node:fs';
import { statuses } from '@waybill/contract/lifecycle';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { type Browser, chromium, type Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { test as base, linksIn, read } from './site.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const reason = executablePath ? '' : ' (skipped: there is no Chromium on this machine; .ci/run installs it)';

const test = base.extend<{ $file: { browser: Browser }; $test: { page: Page } }>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
      await use(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  page: async ({ browser, service }, use) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(waitTimeout.timeout);
    const errors: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.origin) errors.push(`request of ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} for ${response.url()}`);
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await use(page);
    await page.close();
    // The site sends no request elsewhere and logs no error.
    expect(errors).toEqual([]);
  },
});

const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods)) as {
  operationId: string;
  summary: string;
}[];

/** Waits until a heading is in view. */
async function shows(page: Page, text: string): Promise<void> {
  const heading = page.getByRole('heading').filter({ hasText: new RegExp(`${text}$`) });
  const height = page.viewportSize()?.height ?? 0;
  const inView = async () => expect((await heading.boundingBox())?.y, text).toSatisfy((y) => y >= 0 && y < height);
  await vi.waitFor(inView, waitTimeout);
}

describe.skipIf(!executablePath)(`in a browser${reason}`, () => {
  test('the reference has every operation at the anchor that other pages link to', async ({ service, page }) => {
    const url = `${service.origin}/docs/errors/internal_error`;
    const links = linksIn(await read(url), url).filter(({ hash }) => hash !== '');
    expect(links).toHaveLength(operations.length);
    const shownTags = new Set<string>();
    for (const [index, { summary }] of operations.entries()) {
      const { href, hash } = links[index] as URL;
      const tag = hash.split('/')[1] ?? '';
      if (shownTags.has(tag)) {
        await page.locator(`a[href="${hash}"]`).filter({ hasText: summary }).first().waitFor();
      } else {
        await page.goto(href);
        await shows(page, summary);
        shownTags.add(tag);
      }
    }
  });

  test('the docs search finds an operation', async ({ service, page }) => {
    const summary = operations.at(-1)?.summary ?? '';
    await page.goto(`${service.origin}/docs/`);
    await page.getByText('Search').first().click();
    await page.keyboard.type(summary);
    await page.getByRole('link').filter({ hasText: summary }).click();
    await shows(page, summary);
  });

  test('the lifecycle page of the docs shows the diagram and every status', async ({ service, page }) => {
    await page.goto(`${service.origin}/docs/lifecycle`);
    await page.getByRole('img').waitFor();
    for (const status of Object.keys(statuses)) {
      await page.getByRole('cell', { name: status, exact: true }).first().waitFor();
    }
  });

  test('the other pages of the docs load without errors', async ({ service, page }) => {
    const url = `${service.origin}/docs/errors/not_found.html`;
    const links = linksIn(await read(url), url).filter(({ hash, pathname }) => hash === '' && /html$/.test(pathname));
    for (const { href } of [new URL(url), ...links]) {
      await page.goto(href);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
  });
});
