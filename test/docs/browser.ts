import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { test as base } from './site.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
export const hasBrowser: boolean = executablePath !== undefined;
export const reason: string = hasBrowser ? '' : ' (skipped: there is no Chromium on this machine; .ci/run installs it)';

/**
 * `open` loads a page of the docs in `page`. The test fails if the page logs an error or sends a request elsewhere, unless it
 * removes what it expects from `errors`.
 */
export const test = base.extend<{
  $file: { browser: Browser };
  $test: { errors: string[]; page: Page; open: (path: string) => Promise<void> };
}>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
      await use(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  errors: ({}, use) => use([]),
  page: async ({ browser, service, errors }, use) => {
    const page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' });
    page.setDefaultTimeout(waitTimeout.timeout);
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
    expect(errors).toEqual([]);
  },
  open: ({ page, service }, use) =>
    use(async (path) => void (await page.goto(`${service.origin}/docs/${path}`, { waitUntil: 'networkidle' }))),
});
