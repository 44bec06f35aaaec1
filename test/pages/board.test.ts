import type { components } from '@waybill/contract/types';
import { languageNames } from '@waybill/pages/messages/languages';
import { createKey, revokeKey } from '@waybill/server/auth/administration';
import { keyPresets } from '@waybill/server/auth/keys';
import type { Page, Route } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { insertShipments } from '../fixtures/database/insert-shipments.ts';
import { chromiumMissing, hasChromium, testInBrowser } from '../fixtures/programs/chromium.ts';
import { newPosition } from '../fixtures/requests/valid-requests.ts';
import { inTransit, newShipment, proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/shipments.ts';
import type { TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, openContext, overflowOf, untrusted } from './browser-context.ts';

type ExceptionCode = components['schemas']['ExceptionRequest']['code'];
const zone = 'America/Los_Angeles';

/** `page` is a tab of a dispatcher. */
const test = testInBrowser.extend<{ $test: { page: Page; link: (key?: string) => Promise<string> } }>({
  page: async ({ browser }, use) => {
    const options = { reducedMotion: 'reduce' as const, timezoneId: zone, viewport: { width: 1440, height: 900 } };
    await using desk = await openContext(browser, options, 'wbk_');
    await use(await desk.newPage());
  },
  /** A link as `waybill board` prints it. */
  link: ({ service, account }, use) =>
    use(async (key) => `${service.origin}/board#${key ?? (await account.keyWith(keyPresets.board))}`),
});

/** The numbers of the shipments in the list, in order. */
const numbersOn = (page: Page): Promise<string[]> => page.locator('.list td.number').allTextContents();

/** Waits until the list has these shipments, in this order. */
const shows = (page: Page, numbers: string[]): Promise<void> =>
  vi.waitFor(async () => expect(await numbersOn(page)).toEqual(numbers), waitTimeout);

/** The row of a shipment. By its text, because to compute the names of 500 rows takes seconds. */
const rowOf = (page: Page, number: string) => page.locator('.list tbody tr', { hasText: number });

const isLive = (page: Page) => page.getByRole('status').filter({ hasText: 'Live' }).waitFor();

/** A window around now. */
const hours = (from: number, to: number): { start: string; end: string } => {
  const [start = '', end = ''] = [from, to].map((hour) => new Date(Date.now() + hour * 3_600_000).toISOString());
  return { start, end };
};

/** Reports positions of a shipment. */
const locate = ({ client }: TestAccount, tracking_number: string, ...places: [lat: number, lng: number][]) =>
  client.recordPositions({
    tracking_number,
    positions: places.map(([lat, lng], index) => ({ lat, lng, updated_at: new Date(Date.now() + index * 1_000) })),
  });

const dispatch = ({ client }: TestAccount, tracking_number: string) =>
  client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });

/** Reports an exception. @returns its id */
async function raise({ client }: TestAccount, tracking_number: string, code: ExceptionCode, description?: string) {
  const report = { tracking_number, code, occurred_at: new Date(), ...(description && { description }) };
  return (await client.raiseException(report)).id;
}

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('the board shows the shipments of its account, and each change', async ({ service, account, page, link }) => {
    const { client } = account;
    const pickup_window = hours(0, 4);
    const first = await newShipment(account, { pickup_window, reference: 'PO-1' });
    await page.goto(await link());
    await rowOf(page, first.tracking_number).getByText('Scheduled').waitFor();
    expect(page.url()).toBe(`${service.origin}/board`); // the key is in no history
    await isLive(page);

    const { tracking_number } = await newShipment(account, { pickup_window });
    await rowOf(page, tracking_number).waitFor();
    for (const status of ['dispatched', 'picked_up', 'in_transit'] as const)
      await client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
    await rowOf(page, tracking_number).getByText('On the way').waitFor();
    const positions = [{ ...newPosition(), updated_at: new Date() }];
    await client.recordPositions({ tracking_number, positions, eta: new Date(Date.now() + 3_600_000) });
    await rowOf(page, tracking_number).getByText('on time').waitFor();
    await rowOf(page, tracking_number).getByRole('cell', { name: 'now', exact: true }).waitFor();
    await page.getByRole('img', { name: 'Map of the active shipments' }).locator('circle').waitFor();

    const exception_id = await raise(account, tracking_number, 'breakdown');
    await rowOf(page, tracking_number).getByText('The vehicle has broken down').waitFor();
    await shows(page, [tracking_number, first.tracking_number]);
    await page.getByRole('button', { name: 'Needs attention 1' }).click();
    await shows(page, [tracking_number]);
    await client.resolveException({ tracking_number, exception_id, resolved_at: new Date() });
    await page.getByText('No shipment needs attention.').waitFor();

    await page.getByRole('button', { name: 'Active 2' }).click();
    await client.cancelShipment({ shipment_id: first.id, reason: 'The consignee moved.' });
    await page.getByRole('button', { name: 'Active 1' }).waitFor();
    await shows(page, [tracking_number]);
    await page.reload(); // the tab still has the key
    await rowOf(page, tracking_number).waitFor();
  });

  test('the board follows its shipments over plain HTTP', async ({ account, page, link }) => {
    const { tracking_number } = await newShipment(account);
    await page.goto(untrusted(await link()));
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await rowOf(page, tracking_number).waitFor();
    await isLive(page);
  });

  test('the page of a shipment has all that happens to it', async ({ service, account, page, link }) => {
    const { client } = account;
    const { id, tracking_number } = await shipmentIn(account, 'in_transit', {
      items: [
        { description: 'Paint', pieces: 4, weight: { value: 1200, unit: 'kg' }, hazmat: { id: 'UN1263', class: '3' } },
        { description: 'Boards', pieces: 12, weight: { value: 300, unit: 'kg' } },
      ],
    });
    await locate(account, tracking_number, [47.6, -122.2]);
    const exception_id = await raise(account, tracking_number, 'nobody_there', 'The gate was locked.');
    await page.goto(await link());
    await rowOf(page, tracking_number).getByRole('link').click();
    expect(page.url()).toBe(`${service.origin}/board#${id}`);
    const details = page.getByRole('article', { name: tracking_number });
    await details.getByText('1 position').waitFor();
    await details.getByText('The gate was locked.').waitFor();
    await details.getByText('Open until the driver or the carrier ends it.').waitFor();
    await page.getByText('16 pieces · 1,500 kg').waitFor();
    await details.getByText('Hazardous goods: UN1263, 3').waitFor();
    await locate(account, tracking_number, [47.7, -122.1]);
    await details.getByText('2 positions').waitFor();
    await page.locator('.map polyline').waitFor();
    await locate(account, tracking_number, [40.7, -74]); // a jump
    await page.reload();
    await details.getByText('3 positions').waitFor();
    expect((await page.locator('.map polyline').getAttribute('points'))?.split(' ')).toHaveLength(2);
    const resolved = { resolved_at: new Date(), resolution: 'Second attempt' };
    await client.resolveException({ tracking_number, exception_id, ...resolved });
    await details.getByText('Second attempt').waitFor();
    const counted = { items: [{ index: 1, pieces_delivered: 11 }] };
    await client.submitProofOfDelivery({ tracking_number, ...(await proofFor(account, tracking_number)), ...counted });
    await details.getByText('Signed by Owen Castillo').waitFor();
    await details.getByText('Boards: 11 of 12 pieces').waitFor();
    const upload_id = await upload(account, tracking_number, 'document');
    await client.addDocument({ tracking_number, upload_id, type: 'weight_ticket' });
    await details.getByRole('link', { name: 'Weight ticket' }).waitFor();
    await details.getByRole('img', { name: 'Signature' }).waitFor();
    const width = `document.querySelector('img[alt="Signature"]').naturalWidth`;
    await vi.waitFor(async () => expect(await page.evaluate<number>(width)).toBeGreaterThan(0), waitTimeout);
    await page.getByRole('button', { name: 'Delivered today 1' }).waitFor();
    const { timeline } = await client.getTracking({ tracking_number });
    const event_id = timeline.at(-1)?.id ?? '';
    await client.voidTrackingEvent({ tracking_number, event_id, reason: 'Another truck' });
    await page.getByRole('button', { name: 'Active 1' }).waitFor();
    await rowOf(page, tracking_number).getByText('On the way').waitFor();
    await details.getByText('Voided: ').getByText('Another truck').waitFor();
    expect(await details.locator('s').first().textContent()).toBe('Delivered');
    await client.recordTrackingEvent({ tracking_number, status: 'lost', timestamp: new Date() });
    await page.getByRole('button', { name: 'Lost today 1' }).click();
    await rowOf(page, tracking_number).getByText('Lost').waitFor();
    await page.getByRole('button', { name: 'Back to all shipments' }).click();
    await details.waitFor({ state: 'detached' });
  });

  test('a change between the list and the stream is not missed', async ({ account, page, link }) => {
    const { tracking_number } = await newShipment(account);
    const changeAfterReading = async (route: Route) => {
      const response = await route.fetch();
      await dispatch(account, tracking_number);
      await route.fulfill({ response });
    };
    await page.route('**/shipments?*status=scheduled*', changeAfterReading, { times: 1 });
    await page.goto(await link());
    await rowOf(page, tracking_number).getByText('Driver assigned').waitFor();
  });

  test('a board and its open shipment have the changes of an interruption', async ({ account, page, link }) => {
    const { id, tracking_number } = await shipmentIn(account, 'in_transit');
    await locate(account, tracking_number, [47.6, -122.2]);
    let isCut = true;
    await page.route('**/v1/**', (route) => (isCut ? route.abort() : route.fallback()));
    await page.goto(`${(await link()).replace('/board', '/board/')}/${id}).`); // as a mail program ends a link
    await page.getByRole('status').getByText('No connection').waitFor();
    isCut = false;
    await page.getByText('1 position').waitFor();
    await isLive(page);
    isCut = true;
    const failedRetry = page.waitForEvent('requestfailed', (request) => {
      return /stream/.test(request.url()) && request.failure()?.errorText === 'net::ERR_FAILED';
    });
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('Offline').waitFor();
    await failedRetry;
    await locate(account, tracking_number, [47.7, -122.1], [47.7, -122.1]);
    await raise(account, tracking_number, 'breakdown', 'Flat tyre');
    isCut = false;
    await page.context().setOffline(false);
    await page.getByText('Flat tyre').waitFor();
    await page.getByText('3 positions').waitFor();
  });

  test('a link without a valid key says why, also on an open board', async ({ service, account, page, link }) => {
    const keyOf = (more: { expiresAt?: Date }) =>
      createKey(service.db, account.id, { name: 'board', scopes: keyPresets.board, ...more });
    const expired = await keyOf({ expiresAt: new Date(Date.now() - 1000) });
    for (const [url, name] of [
      [`${service.origin}/board`, 'This link is not complete'],
      [await link(expired.key), 'This link has expired'],
      [await link('wbk_a_ü'), 'This link does not work'],
      [await link(await account.keyWith(['shipments:read', 'events:read'])), 'This key cannot read the board'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(url);
      await page.getByRole('heading', { name }).waitFor();
    }
    const { tracking_number } = await newShipment(account);
    const { key, key_id } = await keyOf({});
    await page.goto('about:blank');
    await page.goto(await link(key));
    await rowOf(page, tracking_number).waitFor();
    await isLive(page);
    await revokeKey(service.db, account.id, key_id);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(await page.getByText(tracking_number).count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
  });

  test('a board that loads a part shows all figures and what is urgent', async ({ service, account, page, link }) => {
    const late = await shipmentIn(account, 'in_transit', { delivery_window: hours(-4, -1) });
    await raise(account, late.tracking_number, 'breakdown');
    const overdue = await newShipment(account, { pickup_window: hours(-3, -2) });
    await insertShipments(service.db, account.id, 600);
    await page.goto(await link());
    const figures = async () => (await page.locator('.kpi dd').allInnerTexts()).slice(0, 4);
    await vi.waitFor(async () => expect(await figures()).toEqual(['602', '0', '2', '1']), waitTimeout);
    expect((await numbersOn(page)).slice(0, 2)).toEqual([late.tracking_number, overdue.tracking_number]);
    await page.getByRole('button', { name: 'On the way 1' }).waitFor();
    await page.getByRole('button', { name: 'Needs attention 2' }).waitFor();
    expect((await numbersOn(page)).length).toBeLessThan(602);

    // An event of a shipment that is not loaded loads it.
    const tracking_number = 'FRT-2026-900001';
    expect(await numbersOn(page)).not.toContain(tracking_number);
    await dispatch(account, tracking_number);
    await rowOf(page, tracking_number).getByText('Driver assigned').waitFor();
    await raise(account, tracking_number, 'closed');
    await page.getByRole('button', { name: 'Needs attention 3' }).waitFor();

    // Scrolling loads all.
    await page.locator('.list').hover();
    await vi.waitFor(async () => {
      await page.mouse.wheel(0, 100_000);
      expect(await numbersOn(page)).toHaveLength(602);
    }, waitTimeout);
    expect(new Set(await numbersOn(page)).size).toBe(602);
  });

  test('the map shows the densest region, or the route of an open shipment', async ({ account, page, link }) => {
    const at = { seattle: [47.6, -122.3], chicago: [41.9, -87.6], miami: [25.8, -80.2], hamburg: [53.5, 10] } as const;
    const numbers: Record<string, string> = {};
    for (const [name, [lat, lng]] of Object.entries(at)) {
      const { tracking_number } = await inTransit(account); // from Tacoma to Portland
      await locate(account, tracking_number, [lat, lng]);
      numbers[name] = tracking_number;
    }
    await page.goto(await link());
    const map = page.getByRole('region', { name: 'Map of the active shipments' });
    const boxOf = async (text: string) =>
      (await map.locator('g', { hasText: text }).boundingBox()) ?? expect.unreachable();
    const { seattle = '', chicago = '', hamburg = '' } = numbers;
    const distance = async () => Math.abs((await boxOf(seattle)).x - (await boxOf(chicago)).x);
    const sizeOfMap = async () => (await map.boundingBox()) ?? expect.unreachable();
    const press = (name: string) => page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: '1 more outside' }).waitFor();
    const fitted = await distance();
    expect(fitted).toBeGreaterThan((await sizeOfMap()).width * 0.4);
    const hasFactor = (least: number, most: number) =>
      vi.waitFor(async () => {
        const factor = (await distance()) / fitted;
        expect(factor >= least && factor <= most, `${factor}`).toBe(true);
      }, waitTimeout);
    const fit = () => press('Back to the first view').then(() => hasFactor(0.99, 1.01));

    const { x, y } = await boxOf(chicago);
    const touch = await page.context().newCDPSession(page);
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...offsets: number[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: offsets.map((dx, id) => ({ x: x + dx, y, id })) });
    await fingers('touchStart', -100, 50);
    await fingers('touchMove', -70, 30);
    await fingers('touchEnd');
    await hasFactor(0.6, 0.75);
    await map.press('+');
    await hasFactor(0.95, 1.2);
    await fit();
    await page.mouse.move(x + 8, y + 8);
    await page.mouse.wheel(0, -60);
    await hasFactor(1.08, 1.18);
    expect((await boxOf(chicago)).x).toBeCloseTo(x, -1); // what the pointer is at stays
    await page.mouse.down();
    await page.mouse.move(x - 22, y + 8, { steps: 3 });
    await page.mouse.up();
    await vi.waitFor(async () => expect((await boxOf(chicago)).x).toBeCloseTo(x - 30, -1), waitTimeout);
    expect(await page.getByRole('article').count(), 'a drag is no click').toBe(0);
    await press('1 more outside');
    await boxOf(hamburg);
    await hasFactor(0, 0.7);

    await rowOf(page, seattle).click();
    await page.getByText(/^Near Seattle, WA, /).waitFor(); // as on the tracking page
    const way = (await boxOf('Portland, OR')).y - (await boxOf('Tacoma, WA')).y;
    expect(way).toBeGreaterThan((await sizeOfMap()).height * 0.3);
    await press('Back to all shipments');
    await fit();
    await page.setViewportSize({ width: 390, height: 844 });
    const rows = await Promise.all((await page.locator('.list tbody tr').all()).map((row) => row.boundingBox()));
    expect(rows.map((row) => row && row.y + row.height < 844)).toEqual([true, true, true, true]);
  });

  test('a small map at sea shows land, and no button covers a shipment', async ({ account, page, link }) => {
    for (const place of ['40,-178', '38,175', '-20,179.5']) {
      const [lat = 0, lng = 0] = place.split(',').map(Number);
      await locate(account, (await inTransit(account)).tracking_number, [lat, lng]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(await link());
    await page.getByRole('button', { name: '1 more outside' }).waitFor();
    await page.locator('.map .land[d^="M"]').waitFor({ state: 'attached' });
    const dots = await page.locator('.map g circle').all();
    for (const dot of dots) await dot.click({ trial: true });
    expect(dots).toHaveLength(2);
  });

  test('key figures filter, keys move the focus, and a found reference shows', async ({ account, page, link }) => {
    const references = [{ type: 'pro' as const, value: '4412-77' }];
    const plain = await newShipment(account, { pickup_window: hours(0, 4), reference: 'PO-1', references });
    const { tracking_number: held } = await inTransit(account);
    await raise(account, held, 'customs_hold');
    await account.client.recordPositions({ tracking_number: held, positions: [newPosition()], eta: new Date() });
    await page.goto(await link());
    const both = [held, plain.tracking_number];
    for (const name of ['Arriving today', 'Late or at risk', 'Open exceptions']) {
      await shows(page, both);
      await page.getByRole('button', { name }).click();
      await shows(page, [held]);
      await page.getByRole('button', { name }).click(); // again for all
    }
    await page.getByRole('button', { name: 'On time, 30 days' }).click();
    await page.getByRole('heading', { name: 'On time by day' }).waitFor();
    await page.locator('.kpi').getByRole('button', { name: 'Active' }).click();
    await rowOf(page, plain.tracking_number).getByText('PO-1').waitFor();

    const hasFocus = (value: string) =>
      vi.waitFor(async () => {
        expect(await page.evaluate('document.activeElement.type || document.activeElement.text')).toBe(value);
      }, waitTimeout);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('/', '4', '4');
    await rowOf(page, plain.tracking_number).getByText('PRO number 4412-77').waitFor();
    await shows(page, [plain.tracking_number]);
    await press('Escape', 'd');
    await shows(page, both);
    await press('ArrowDown', 'ArrowDown');
    await hasFocus(plain.tracking_number);
    await press('ArrowUp', 'Enter');
    await page.getByRole('article', { name: held }).waitFor();
    await press('Escape');
    await hasFocus(held);
    await press('ArrowUp');
    await hasFocus('search');
  });

  test('times are those of the place, with its zone if the reader has another', async ({ account, page, link }) => {
    const destination = { ...shipmentRequest().destination, city: 'Denver', state: 'CO', zip: '80202' };
    const delivery_window = { start: '2027-01-14T15:00:00Z', end: '2027-01-14T17:00:00Z' };
    const pickup_window = { start: '2027-01-12T16:00:00Z', end: '2027-01-12T18:00:00Z' };
    const { id } = await newShipment(account, { destination, delivery_window, pickup_window });
    await page.goto(`${await link()}/${id}`);
    const textsOf = async (selector: string) =>
      (await page.locator(selector).allTextContents()).map((text) => text.replace(/\s/g, ' '));
    const delivered = expect.stringMatching(/Jan 14, 8:00 – 10:00 AM MST/);
    const pickedUp = expect.stringMatching(/Jan 12, 8:00 – 10:00 AM$/); // in Seattle, whose time the reader has
    await vi.waitFor(async () => {
      expect(await textsOf('.facts dd')).toEqual(expect.arrayContaining([pickedUp, delivered]));
      expect(await textsOf('.list .eta')).toEqual([delivered]);
    }, waitTimeout);
  });

  test('each state is accessible and fits, in several languages', async ({ service, account, page, link }) => {
    const check = (name: string) => expectAccessible(page, name);
    const url = await link();
    await page.goto(url.replace(/#.*/, ''));
    await page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
    await check('closed');
    await page.goto(url);
    await page.reload();
    await page.getByText('No shipment is active.').waitFor();
    await check('empty');
    const late = await shipmentIn(account, 'in_transit', { delivery_window: hours(-2, -1) });
    const { tracking_number } = await shipmentIn(account, 'picked_up');
    await locate(account, tracking_number, [47.6, -122.2]);
    await raise(account, tracking_number, 'closed');
    const delivered = await shipmentIn(account, 'delivered');
    await rowOf(page, tracking_number).getByText('the site was closed').waitFor();
    await check('list');
    await page.getByRole('button', { name: 'Delivered today 1' }).click();
    await rowOf(page, delivered.tracking_number).getByText('Delivered').waitFor();
    await page.evaluate(`location.hash = '${delivered.id}'`);
    await page.getByText('Signed by Owen Castillo').waitFor();
    await check('delivered');
    await page.evaluate(`location.hash = '${late.id}'`);
    await page.getByRole('article', { name: late.tracking_number }).waitFor();
    await check('late');
    await page.getByRole('button', { name: 'Figures' }).click();
    await page.getByRole('heading', { name: 'On time by day' }).waitFor();
    await check('figures');
    const words: Record<string, string> = { de: 'Aktiv', en: 'Active', fr: 'Actives', zh: '进行中' };
    for (const language of Object.keys(languageNames)) {
      await page.goto(url.replace('/board#', `/board?lang=${language}#`));
      const name = `${words[language] ?? ''} 2`;
      await page.getByRole('button', { name }).first().waitFor();
      expect(page.url()).toBe(`${service.origin}/board?lang=${language}`);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflowOf(page), `${language}, ${width} px`).toBeLessThanOrEqual(0);
      }
    }
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Active 2' }).waitFor();
  });
});
