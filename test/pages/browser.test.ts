import { closedPage } from '@waybill/pages/closed-page';
import type { PageDocument } from '@waybill/pages/document';
import { languageNames } from '@waybill/pages/messages/languages';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import type { Route } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, overflowOf, type PageServer, test } from './browser.ts';
import { now, onTheWay, states } from './views.ts';

const render = (view: TrackingView, visitorZone?: string): PageDocument =>
  trackingPage(view, { language: 'en', now, visitorZone });

/** Shows a state at the server of the test, whose files it has. */
async function show(server: PageServer, view: TrackingView): Promise<void> {
  const text = JSON.stringify(view).replaceAll('https://api.example.net', new URL(server.url).origin);
  server.document = render(JSON.parse(text));
}

const closed = ['expired', 'unknown', 'busy'] as const;

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test.for([...Object.keys(states), ...closed])(
    'the page %s is accessible and fits, light and dark, narrow and wide',
    async (name, { page, server }) => {
      const reason = closed.find((each) => each === name);
      if (reason) server.document = closedPage(reason, 'en');
      else await show(server, states[name] as TrackingView);
      await page.goto(server.url);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectAccessible(page, name);
      }
    },
  );

  test('the page fits a narrow window in every language, also with long words', async ({ page, server }) => {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänskajütentür'.repeat(3);
    const tracking = { ...onTheWay.tracking, exceptions: states['open-exception']?.tracking.exceptions ?? [] };
    const shipment = onTheWay.shipment && { ...onTheWay.shipment, reference: word, carrier: { name: word } };
    for (const language of languageNames) {
      server.document = trackingPage({ ...onTheWay, tracking, shipment }, { language, now });
      await page.goto(server.url);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await overflowOf(page), language).toBeLessThanOrEqual(0);
    }
  });

  test('changes up to the delivery are shown without a reload, and parts without a change stay as they are', async ({
    page,
    server,
  }) => {
    await show(server, onTheWay);
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'Arrives today' }).waitFor();
    await page.evaluate("document.querySelector('#details').isKept = true");
    await show(server, states.late as TrackingView);
    await vi.waitFor(async () => {
      server.change();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('6:00');
    }, waitTimeout);
    expect(await page.evaluate("document.querySelector('#details').isKept")).toBe(true);
    expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(true);
    await show(server, states.delivered as TrackingView);
    await vi.waitFor(async () => {
      server.change();
      expect(await page.title()).toBe('FRT-2026-000021: Delivered');
    }, waitTimeout);
    await page.getByRole('img', { name: 'Signature of R. Alvarez' }).waitFor();
  });

  test('the page says that live updates are interrupted, and that they are back', async ({ page, server }) => {
    await show(server, onTheWay);
    await page.goto(server.url);
    await page.route('**/live', (route) => route.abort());
    await vi.waitFor(async () => {
      server.disconnect();
      expect(await page.getByText('Live updates are interrupted').count()).toBe(1);
    }, waitTimeout);
    await page.unroute('**/live');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Live updates are interrupted').waitFor({ state: 'hidden' });
  });

  test('a page whose network ends while it is read says that it is offline', async ({ page, context, server }) => {
    await show(server, onTheWay);
    await page.goto(server.url);
    const reading = Promise.withResolvers<Route>();
    await page.route(server.url, (route) => reading.resolve(route));
    await show(server, states.late as TrackingView);
    server.change();
    const route = await reading.promise;
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    const { html, headers } = render(states.late as TrackingView);
    await route.fulfill({ body: html, headers });
    await page.getByRole('heading', { name: '6:00' }).waitFor();
    expect(await page.getByText('You are offline.').isVisible()).toBe(true);
  });

  test('a page without a known place is read again for the time zone of the visitor', async ({ page, server }) => {
    const view = states['status-only'] as TrackingView;
    await show(server, view);
    await page.route('**/t/token?zone=*', async (route) => {
      const zone = new URL(route.request().url()).searchParams.get('zone') ?? '';
      const { html, headers } = render(view, zone);
      await route.fulfill({ body: html, headers });
    });
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'Arrives today, 4:30' }).waitFor();
    await page.getByText('Times are in your time zone.').waitFor();
    // So is it after each change.
    const next = page.waitForRequest(
      (request) => request.url().startsWith(server.url) && !request.url().endsWith('/live'),
    );
    await vi.waitFor(async () => {
      server.change();
      expect(new URL((await next).url()).searchParams.get('zone')).toBe('America/Chicago');
    }, waitTimeout);
  });

  test('a live update keeps the language of the URL', async ({ page, server }) => {
    await show(server, onTheWay);
    await page.goto(`${server.url}?lang=de`);
    const next = page.waitForRequest((request) => request.url().startsWith(`${server.url}?`));
    await vi.waitFor(async () => {
      server.change();
      expect(new URL((await next).url()).searchParams.get('lang')).toBe('de');
    }, waitTimeout);
  });

  test('without a live connection the page is read each minute', async ({ page, server }) => {
    let reads = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') reads++;
    });
    await page.clock.install({ time: now });
    await page.route('**/live', (route) => route.fulfill({ status: 503 }));
    await show(server, onTheWay);
    await page.goto(server.url);
    await page.getByText('Live updates are interrupted').waitFor();
    await vi.waitFor(() => expect(reads).toBe(1), waitTimeout); // the link may have ended
    await page.clock.runFor(3_000);
    await show(server, states.late as TrackingView);
    await page.clock.runFor(40_000);
    reads = 0;
    await page.clock.runFor(75_000);
    await page.getByRole('heading', { name: '6:00' }).waitFor();
    expect(reads).toBeGreaterThan(0);
  });

  test('a page whose link has ended asks for nothing more', async ({ page, server }) => {
    await show(server, onTheWay);
    await page.goto(server.url);
    const { html, headers } = closedPage('expired', 'en');
    await page.route(server.url, (route) => route.fulfill({ status: 410, body: html, headers }));
    await vi.waitFor(async () => {
      server.change();
      expect(await page.getByRole('heading', { name: 'This link has expired' }).count()).toBe(1);
    }, waitTimeout);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.evaluate(`fetch('/last').catch(() => {})`);
    expect(asked).toEqual(['/last']);
  });

  test.for([429, 503])('a page whose update is refused with %i stays', async (status, { page, server }) => {
    await show(server, onTheWay);
    await page.goto(server.url);
    const { html, headers } = closedPage('busy', 'en');
    await page.route(server.url, (route) => route.fulfill({ status, body: html, headers }));
    await vi.waitFor(async () => {
      server.change();
      expect(await page.getByText('Live updates are interrupted').count()).toBe(1);
    }, waitTimeout);
    await page.getByRole('heading', { name: 'Arrives today' }).waitFor();
    await page.unroute(server.url);
    await show(server, states.late as TrackingView);
    await vi.waitFor(async () => {
      server.change();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('6:00');
    }, waitTimeout);
  });

  test('the facts fill their rows, whatever their number, and a page without a map has one column', async ({
    page,
    server,
  }) => {
    const more = { service_level: 'standard', reference: 'PO-4711' } as const;
    for (const shipment of [
      onTheWay.shipment,
      { ...onTheWay.shipment, reference: 'PO-1' },
      { ...onTheWay.shipment, ...more },
    ])
      for (const width of [390, 768, 1440]) {
        await show(server, { ...onTheWay, shipment } as TrackingView);
        await page.setViewportSize({ width, height: 900 });
        await page.goto(server.url);
        const rest = `(() => {
          const { right } = document.querySelector('.map .facts').getBoundingClientRect();
          const boxes = [...document.querySelectorAll('.map .facts div')].map((box) => box.getBoundingClientRect());
          return boxes.filter(({ top }, index) => boxes[index + 1]?.top !== top).map((last) => Math.round(right - last.right));
        })()`;
        expect(new Set(await page.evaluate<number[]>(rest))).toEqual(new Set([0]));
      }
    await show(server, states['status-only'] as TrackingView);
    await page.goto(server.url);
    const widths = `['main', '#timeline'].map((name) => Math.round(document.querySelector(name).getBoundingClientRect().width))`;
    const [main = 0, timeline = 0] = await page.evaluate<number[]>(widths);
    expect(timeline).toBeGreaterThan(main * 0.9);
  });

  test('share copies the link where the browser cannot share', async ({ page, context, server }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript('navigator.share = undefined');
    await show(server, onTheWay);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Link copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(server.url);
  });

  test('without JavaScript the page is complete and has no button that does nothing', async ({ browser, server }) => {
    await show(server, states.delivered as TrackingView);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'Delivered today, 1:58 PM' }).waitFor();
    expect(await page.locator('noscript').isVisible()).toBe(true);
    expect(await page.getByRole('img', { name: 'Signature of R. Alvarez' }).isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });

  test('the keyboard reaches the call, the buttons and the languages, in this order', async ({ page, server }) => {
    await show(server, onTheWay);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Share' }).waitFor();
    const reached: string[] = [];
    for (let index = 0; index < 4; index++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<string>('document.activeElement.textContent'));
    }
    expect(reached).toEqual(['Call Quarry Supply', 'Share', 'Print', 'English']);
  });

  test('on paper a delivery is a receipt with its date, the proof and the addresses, without buttons', async ({
    page,
    server,
  }) => {
    await show(server, states.delivered as TrackingView);
    await page.goto(server.url);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.getByText('Delivery receipt').waitFor();
    await page.getByText('Delivered Nov 23, 2026, 1:58 PM').waitFor();
    expect(await page.getByText('310 Mill Lane').first().isVisible()).toBe(true);
    expect(await page.getByRole('img', { name: 'Signature of R. Alvarez' }).isVisible()).toBe(true);
    expect(await page.locator('button:visible, nav:visible').count()).toBe(0);
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });
});
