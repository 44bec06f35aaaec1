import type { PageDocument } from '@waybill/pages/frame/document';
import { fastify } from 'fastify';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOn } from '../fixtures/programs/accessibility.ts';
import { testInBrowser } from '../fixtures/programs/chromium.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** Serves one tracking page as the service does. `change` sends a change to the open pages. */
export type PageServer = { url: string; document: PageDocument; change(): void; disconnect(): void };

/** `server` serves a page, and `page` is a tab that fails the test for errors and for requests elsewhere. */
export const test = testInBrowser.extend<{ $test: { server: PageServer; context: BrowserContext; page: Page } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  server: async ({}, use) => {
    await using app = fastify({ forceCloseConnections: true });
    const live = new Set<{ write(text: string): void; end(): void }>();
    const server: PageServer = {
      url: '',
      document: { html: '', headers: {} },
      change: () => live.forEach((stream) => void stream.write('event: change\ndata:\n\n')),
      disconnect: () => live.forEach((stream) => void stream.end()),
    };
    const referers: string[] = [];
    app.addHook('onRequest', async ({ headers: { referer } }) => void (referer && referers.push(referer)));
    app.get('/t/token', (_request, reply) => reply.headers(server.document.headers).send(server.document.html));
    app.get('/t/token/live', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.raw.write('retry: 100\n\n');
      live.add(reply.raw);
      reply.raw.once('close', () => live.delete(reply.raw));
    });
    app.get('/v1/files/*', (_request, reply) =>
      reply.type('image/svg+xml').send('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    );
    server.url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/t/token`;
    await use(server);
    expect(referers, 'the URL with the token is sent').toEqual([]);
  },
  context: async ({ browser, server }, use) => {
    const { origin } = new URL(server.url);
    const isOwn = (url: URL): boolean => url.protocol === 'data:' || url.origin === origin;
    const options = { timezoneId: 'America/Chicago', viewport: { width: 1440, height: 900 } };
    await using context = await openContext(browser, options, 'wba_', isOwn);
    await use(context);
  },
  page: async ({ context }, use) => use(await context.newPage()),
});

/** Whether a URL is of this machine. */
export const isLocal = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '0.0.0.0'].includes(hostname);

/** The same URL at a host that browsers do not trust with HTTP, unlike `localhost`. It also leads to this machine. */
export const untrusted = (url: string): string => url.replace(/(?<=^http:\/\/)[^:]+/, '0.0.0.0');

/**
 * Opens a context whose disposal fails the test for what no page of a browser may do: errors of scripts, what its policy
 * forbids, requests elsewhere, and requests with a secret or a referrer.
 * @param secret begins each key or token, such as `wbk_`
 * @param isOwn whether a request is for the page itself
 */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions,
  secret: string,
  isOwn = isLocal,
): Promise<BrowserContext> {
  const context = await browser.newContext({ colorScheme: 'light', ...options });
  context.setDefaultTimeout(waitTimeout.timeout);
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) errors.push(message.text());
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!isOwn(new URL(url))) errors.push(`request of ${url}`);
    if (url.includes(secret) || request.headers().referer) errors.push(`${url} has a secret or a referrer`);
  });
  return Object.assign(context, {
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(errors).toEqual([]);
    },
  });
}

/**
 * Fails unless the open page fits all widths of a window in light and dark, and has no accessibility violations in the
 * first and the last.
 * @param name of its state
 */
export async function expectAccessible(page: Page, name: string, widths = [390, 1440]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const state = `${name}, ${width} px, ${colorScheme}`;
      expect(await overflowOf(page), state).toBeLessThanOrEqual(0);
      const isChecked = width === widths.at(-1) || (width === widths[0] && colorScheme === 'light');
      if (isChecked) expect(await violationsOn(page, colorScheme), state).toEqual([]);
    }
  }
}

/** Pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
