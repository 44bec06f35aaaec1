import type { Browser, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { launchChromium } from '../fixtures/chromium.ts';
import { perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { test as base } from './site.ts';

/**
 * `open` loads a page of the docs in `page`, until its buttons work. The test fails if the page logs an error or sends a
 * request elsewhere, unless it removes what it expects from `errors`.
 */
export const test = base.extend<{
  $file: { browser: Browser };
  $test: { errors: string[]; page: Page; open: (path: string) => Promise<void> };
}>({
  browser: perFile(launchChromium),
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
    use(async (path) => {
      await page.goto(`${service.origin}/docs/${path}`);
      // `waitForFunction` would evaluate text in the page again and again, which its Content-Security-Policy refuses.
      const isReady = "document.querySelector('#app').__vue_app__ !== undefined";
      await vi.waitFor(async () => expect(await page.evaluate(isReady)).toBe(true), waitTimeout);
    }),
});
