import { closedPage } from '@waybill/pages/closed-page';
import type { PageDocument } from '@waybill/pages/frame/document';
import { languageNames } from '@waybill/pages/messages/languages';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import type { Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/programs/chromium.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, openContext, overflowOf, type PageServer, test, untrusted } from './browser-context.ts';
import { changed, now, onTheWay, refused, states } from './tracking-views.ts';

const render = (view: TrackingView, visitorZone?: string): PageDocument =>
  trackingPage(view, { language: 'en', now, visitorZone });

/** Shows a state at the server of the test, whose files it has. */
function show(server: PageServer, view: TrackingView): void {
  const text = JSON.stringify(view).replaceAll('https://api.example.net', new URL(server.url).origin);
  server.document = render(JSON.parse(text));
}

/** Opens the page of a state. */
async function open(page: Page, server: PageServer, view: TrackingView = onTheWay, query = ''): Promise<void> {
  show(server, view);
  await page.goto(server.url + query);
}

/** Sends changes until the page has what is expected. */
const changes = (server: PageServer, expectation: () => Promise<unknown>): Promise<void> =>
  vi.waitFor(async () => {
    server.change();
    await expectation();
  }, waitTimeout);

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('each page is accessible and fits, light and dark, narrow and wide', async ({ page, server }) => {
    for (const [name, view] of Object.entries(states)) {
      await open(page, server, view);
      await expectAccessible(page, name);
    }
    for (const reason of ['expired', 'unknown', 'busy'] as const) {
      server.document = closedPage(reason, 'en');
      await page.goto(server.url);
      await expectAccessible(page, reason);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänskajütentür'.repeat(3);
    const view = changed({ exceptions: [refused] }, {}, { reference: word, carrier: { name: word } });
    for (const language of languageNames) {
      server.document = trackingPage(view, { language, now });
      await page.goto(server.url);
      expect(await overflowOf(page), language).toBeLessThanOrEqual(0);
    }
  });

  test('an open page shows changes and interruptions, and parts without a change stay', async ({ page, server }) => {
    await open(page, server, changed({}, {}, { destination: { address: '1', city: 'Memphis', state: 'TN' } }));
    await page.getByRole('heading', { name: /^Arrives today.*PM$/ }).waitFor(); // the clocks of the reader show the same
    await open(page, server);
    await page.getByRole('heading', { name: /^Arrives today.*PM PST$/ }).waitFor();
    await page.evaluate("document.querySelector('#details').isKept = true");
    const interruption = page.getByText('Live updates are interrupted');
    const { html, headers } = closedPage('busy', 'en');
    await page.route(server.url, (route) => route.fulfill({ status: 429, body: html, headers }));
    await changes(server, async () => expect(await interruption.count()).toBe(1));
    await page.getByRole('heading', { name: 'Arrives today' }).waitFor();
    await page.unroute(server.url);
    show(server, states.late);
    await changes(server, async () => expect(await page.locator('h1').textContent()).toContain('6:00'));
    expect(await interruption.count()).toBe(0);
    expect(await page.evaluate("document.querySelector('#details').isKept")).toBe(true);
    expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(true);
    await page.route('**/live', (route) => route.abort());
    await vi.waitFor(async () => {
      server.disconnect();
      expect(await interruption.count()).toBe(1);
    }, waitTimeout);
    await page.unroute('**/live');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await interruption.waitFor({ state: 'hidden' });
    show(server, states.delivered);
    await changes(server, async () => expect(await page.title()).toBe('FRT-2026-000021: Delivered'));
    await page.getByRole('img', { name: 'Signature of R. Alvarez' }).waitFor();
  });

  test('without a live connection the page is read each minute', async ({ page, server }) => {
    let reads = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') reads++;
    });
    await page.clock.install({ time: now });
    await page.route('**/live', (route) => route.fulfill({ status: 503 }));
    await open(page, server);
    await page.getByText('Live updates are interrupted').waitFor();
    await vi.waitFor(() => expect(reads).toBe(1), waitTimeout); // the link may have ended
    await page.clock.runFor(3_000);
    show(server, states.late);
    await page.clock.runFor(40_000);
    reads = 0;
    await page.clock.runFor(75_000);
    await page.getByRole('heading', { name: '6:00' }).waitFor();
    await vi.waitFor(() => expect(reads).toBeGreaterThan(0), waitTimeout); // a reading may still wait for the one before
  });

  test('without HTTPS a page has no button that does nothing', async ({ browser, server }) => {
    await using context = await openContext(browser, {}, 'wba_');
    const page = await context.newPage();
    show(server, onTheWay);
    await page.goto(untrusted(server.url));
    await page.getByRole('button', { name: 'Print' }).waitFor();
    expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0);
  });

  test('a page whose link has ended asks for nothing more', async ({ page, server }) => {
    await open(page, server);
    const { html, headers } = closedPage('expired', 'en');
    await page.route(server.url, (route) => route.fulfill({ status: 410, body: html, headers }));
    const heading = page.getByRole('heading', { name: 'This link has expired' });
    await changes(server, async () => expect(await heading.count()).toBe(1));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.evaluate(`fetch('/last').catch(() => {})`);
    expect(asked).toEqual(['/last']);
  });

  test('without JavaScript the page is complete and has no button that does nothing', async ({ browser, server }) => {
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await open(page, server, states.delivered);
    await page.getByRole('heading', { name: 'Delivered today, 1:58 PM' }).waitFor();
    expect(await page.locator('noscript').isVisible()).toBe(true);
    expect(await page.getByRole('img', { name: 'Signature of R. Alvarez' }).isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
  });
});
