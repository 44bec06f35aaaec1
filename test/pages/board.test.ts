import { createKey, revokeKey } from '@waybill/server/auth/administration';
import { keyPresets } from '@waybill/server/auth/keys';
import { sql } from 'kysely';
import type { Page, Route } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium, testInBrowser } from '../fixtures/chromium.ts';
import { newPosition } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, notIsolated, openContext, overflowOf } from './browser.ts';

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

/** Adds shipments that are picked up next week. The numbers begin with FRT-2026-900001, the oldest. */
async function insertShipments(db: Service['db'], accountId: string, count: number): Promise<void> {
  const { origin, destination } = shipmentRequest();
  await sql`
    with added as (
      insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                             pickup_end, updated_at)
      select ${accountId}::uuid,
             (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + i), 12, '0') || '7000' || '8000'
               || lpad(to_hex(i), 12, '0'))::uuid,
             'FRT-2026-' || 900000 + i, 'scheduled', 1, 'freight', ${JSON.stringify(origin)}::jsonb,
             ${JSON.stringify(destination)}::jsonb, now() + interval '7 days', now() + interval '8 days', now()
      from generate_series(1, ${count}::integer) i
      returning account_id, id
    )
    insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
    select account_id, id, 1, 'scheduled', now(), 'Shipment created' from added`.execute(db);
}

const isLive = (page: Page) => page.getByRole('status').filter({ hasText: 'Live' }).waitFor();

/** A window around now. @param from, to hours */
const hours = (from: number, to: number): { start: string; end: string } => ({
  start: new Date(Date.now() + from * 3_600_000).toISOString(),
  end: new Date(Date.now() + to * 3_600_000).toISOString(),
});

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
    const position = { ...newPosition(), updated_at: new Date() };
    await client.recordPositions({ tracking_number, positions: [position], eta: new Date(Date.now() + 3_600_000) });
    await rowOf(page, tracking_number).getByText('on time').waitFor();
    await rowOf(page, tracking_number).getByRole('cell', { name: 'now', exact: true }).waitFor();
    await page.getByRole('img', { name: 'Map of the active shipments' }).locator('circle').waitFor();

    const { id: exception_id } = await client.raiseException({
      tracking_number,
      code: 'breakdown',
      occurred_at: new Date(),
    });
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

  test('the search finds a number, a reference or a city, and Enter looks among all shipments', async ({
    account,
    page,
    link,
  }) => {
    const { client } = account;
    const inOslo = await newShipment(account, { destination: { ...shipmentRequest().destination, city: 'Oslo' } });
    const known = await newShipment(account, { reference: 'PO-4711' });
    const cancelled = await newShipment(account, { reference: 'PO-9' });
    await client.cancelShipment({ shipment_id: cancelled.id, reason: 'The consignee moved.' });
    await page.goto(await link());
    await rowOf(page, known.tracking_number).waitFor();
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox');
    for (const [query, number] of [
      ['oslo', inOslo.tracking_number],
      ['po-47', known.tracking_number],
      [inOslo.tracking_number.slice(-6), inOslo.tracking_number],
    ] as const) {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(query);
      await shows(page, [number]);
    }
    await search.fill('PO-9');
    await page.getByText('No shipment of the board matches “PO-9”.').waitFor();
    await search.press('Enter');
    await page.getByRole('heading', { name: cancelled.tracking_number }).waitFor();
    await page.goBack();
    await search.fill('PO-unknown');
    await search.press('Enter');
    await page.getByRole('alert').getByText('PO-unknown').waitFor();
  });

  test('the page of a shipment has its timeline, route, exceptions and proof, and follows changes', async ({
    service,
    account,
    page,
    link,
  }) => {
    const { client } = account;
    const { id, tracking_number } = await shipmentIn(account, 'in_transit');
    await client.recordPositions({ tracking_number, positions: [newPosition()] });
    const { id: exception_id } = await client.raiseException({
      tracking_number,
      code: 'nobody_there',
      occurred_at: new Date(),
      description: 'The gate was locked.',
    });
    await page.goto(await link());
    await rowOf(page, tracking_number).getByRole('link').click();
    expect(page.url()).toBe(`${service.origin}/board#${id}`);
    const details = page.getByRole('article', { name: tracking_number });
    await details.getByText('1 position').waitFor();
    await details.getByText('The gate was locked.').waitFor();
    await client.recordPositions({ tracking_number, positions: [{ ...newPosition(), lat: 47.7, lng: -122.1 }] });
    await details.getByText('2 positions').waitFor();
    await page.locator('.map polyline').waitFor();
    await client.recordPositions({ tracking_number, positions: [{ ...newPosition(), lat: 40.7, lng: -74 }] }); // a jump
    await page.reload();
    await details.getByText('3 positions').waitFor();
    expect((await page.locator('.map polyline').getAttribute('points'))?.split(' ')).toHaveLength(2);
    await client.resolveException({
      tracking_number,
      exception_id,
      resolved_at: new Date(),
      resolution: 'Second attempt',
    });
    await details.getByText('Second attempt').waitFor();
    const signature = await upload(account, tracking_number, 'signature');
    const delivered_at = new Date();
    const proof = { delivered_at, signed_by: 'R. Ortiz', signature, location: { lat: 47.6, lng: -122.3 }, photos: [] };
    await client.submitProofOfDelivery({ tracking_number, ...proof });
    await details.getByText('Signed by R. Ortiz').waitFor();
    await details.getByRole('img', { name: 'Signature' }).waitFor();
    const width = `document.querySelector('img[alt="Signature"]').naturalWidth`;
    await vi.waitFor(async () => expect(await page.evaluate<number>(width)).toBeGreaterThan(0), waitTimeout);
    await page.getByRole('button', { name: 'Delivered today 1' }).waitFor();
    await page.getByRole('button', { name: 'Back to all shipments' }).click();
    await details.waitFor({ state: 'detached' });
  });

  test('a change between the list and the stream is not missed', async ({ account, page, link }) => {
    const { tracking_number } = await newShipment(account);
    const changeAfterReading = async (route: Route) => {
      const response = await route.fetch();
      const body = { status: 'dispatched', timestamp: new Date() } as const;
      await account.client.recordTrackingEvent({ tracking_number, ...body });
      await route.fulfill({ response });
    };
    await page.route('**/shipments?*status=scheduled*', changeAfterReading, { times: 1 });
    await page.goto(await link());
    await rowOf(page, tracking_number).getByText('Driver assigned').waitFor();
  });

  test('without a stream the board waits for events by requests', async ({ account, page, link }) => {
    const { tracking_number } = await newShipment(account);
    await page.route('**/events/stream*', (route) => route.abort());
    await page.goto(await link());
    await rowOf(page, tracking_number).waitFor();
    const body = { status: 'dispatched', timestamp: new Date() } as const;
    await account.client.recordTrackingEvent({ tracking_number, ...body });
    await rowOf(page, tracking_number).getByText('Driver assigned').waitFor();
    await page.getByRole('status').getByText('Live, without a stream').waitFor();
  });

  test('a board without a connection says so, and goes on when there is one', async ({ account, page, link }) => {
    let isCut = true;
    await page.route('**/v1/**', (route) => (isCut ? route.abort() : route.fallback()));
    const { tracking_number } = await newShipment(account);
    await page.goto(await link());
    await page.getByRole('status').getByText('No connection').waitFor();
    isCut = false;
    await rowOf(page, tracking_number).waitFor();
    await isLive(page);
  });

  test('a revoked key ends an open board, also the next time', async ({ service, account, page, link }) => {
    const { tracking_number } = await newShipment(account);
    const { key, key_id } = await createKey(service.db, account.id, { name: 'board', scopes: keyPresets.board });
    await page.goto(await link(key));
    await rowOf(page, tracking_number).waitFor();
    await isLive(page);
    await revokeKey(service.db, account.id, key_id);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(await page.getByText(tracking_number).count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
  });

  test('a link without a valid key says why', async ({ service, account, page, link }) => {
    const past = { name: 'board', scopes: keyPresets.board, expiresAt: new Date(Date.now() - 1000) };
    const { key: expired } = await createKey(service.db, account.id, past);
    for (const [url, heading] of [
      [`${service.origin}/board`, 'This link is not complete'],
      [await link(expired), 'This link has expired'],
      [await link('wbk_ü'), 'This link does not work'],
      [await link(await account.keyWith(['shipments:read', 'events:read'])), 'This key cannot read the board'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(url);
      await page.getByRole('heading', { name: heading }).waitFor();
    }
  });

  test('an account with more shipments than are loaded has its own figures, and first those that need attention', async ({
    service,
    account,
    page,
    link,
  }) => {
    const { client } = account;
    const late = await shipmentIn(account, 'in_transit', { delivery_window: hours(-4, -1) });
    await client.raiseException({ tracking_number: late.tracking_number, code: 'breakdown', occurred_at: new Date() });
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
    await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await rowOf(page, tracking_number).getByText('Driver assigned').waitFor();
    await client.raiseException({ tracking_number, code: 'closed', occurred_at: new Date() });
    await page.getByRole('button', { name: 'Needs attention 3' }).waitFor();

    // Scrolling loads all.
    await page.locator('.list').hover();
    await vi.waitFor(async () => {
      await page.mouse.wheel(0, 100_000);
      expect(await numbersOn(page)).toHaveLength(602);
    }, waitTimeout);
    expect(new Set(await numbersOn(page)).size).toBe(602);
  });

  test('a link to a shipment opens it in another tab, and Escape closes it', async ({ account, page, link }) => {
    const { tracking_number } = await newShipment(account);
    await page.goto(await link());
    const opened = page.context().waitForEvent('page');
    await rowOf(page, tracking_number)
      .getByRole('link')
      .click({ modifiers: ['ControlOrMeta'] });
    const other = await opened;
    await other.getByRole('heading', { name: tracking_number }).waitFor();
    await other.keyboard.press('Escape');
    await other.getByRole('article').waitFor({ state: 'detached' });
    await rowOf(other, tracking_number).waitFor();
  });

  test('a tab without a key whose shipment no other tab shows is not complete', async ({
    service,
    account,
    page,
    link,
  }) => {
    await newShipment(account);
    await page.goto(await link());
    await isLive(page);
    const other = await page.context().newPage();
    await other.goto(`${service.origin}/board#ship_01kjpx8p02fabr24pa3eywnyp2`);
    await other.getByRole('heading', { name: 'This link is not complete' }).waitFor();
  });

  test.for(['#%', '#%E0%A4%A', '#"]', '#ship_%'])(
    'the board says that there is no shipment %s',
    async (hash, { account, page, link }) => {
      const { tracking_number } = await newShipment(account);
      await page.goto(await link());
      await rowOf(page, tracking_number).waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByRole('heading', { name: 'This shipment does not exist.' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'This shipment does not exist.' }).waitFor();
      await page.keyboard.press('Escape');
      await rowOf(page, tracking_number).waitFor();
    },
  );

  test.for([
    ['de', 'Aktiv', 'Geplant'],
    ['es', 'Activos', 'Programado'],
    ['fr', 'Actives', ''],
    ['pt', 'Ativas', ''],
    ['zh', '进行中', ''],
  ] as const)(
    'the board is in the language that its URL asks for: %s',
    async ([language, active], { service, account, page, link }) => {
      const { tracking_number } = await newShipment(account);
      await page.goto((await link()).replace('/board#', `/board?lang=${language}#`));
      await rowOf(page, tracking_number).waitFor();
      expect(page.url()).toBe(`${service.origin}/board?lang=${language}`);
      await page.getByRole('button', { name: `${active} 1` }).waitFor();
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
      }
      expect(await page.getByRole('button', { name: 'Figures' }).count()).toBe(0);
      await page.getByRole('link', { name: 'English' }).click();
      await page.getByRole('button', { name: 'Active 1' }).waitFor();
    },
  );

  test('what people write has no effect on the text around it', async ({ account, page, link }) => {
    const text = 'שלום';
    const address = { ...shipmentRequest().destination, city: text, contact_name: text, address: text };
    const shipment = await shipmentIn(account, 'delivered', {
      origin: address,
      destination: address,
      notes: text,
      reference: `${text} ${Date.now()}`,
      carrier: { name: text },
    });
    await account.client.raiseException({
      tracking_number: shipment.tracking_number,
      code: 'damaged',
      occurred_at: new Date(),
      description: text,
    });
    await page.goto(`${await link()}/${shipment.id}`);
    await page.getByText('Damaged').or(page.getByText('Freight is damaged')).first().waitFor();
    await page.getByRole('button', { name: 'Delivered today 1' }).click();
    await rowOf(page, shipment.tracking_number).waitFor();
    expect(await notIsolated(page, text)).toEqual([]);
    expect(await page.locator('bdi', { hasText: text }).count()).toBeGreaterThan(6);
  });

  test('times are those of the place, with its zone where it is another than that of the reader', async ({
    account,
    page,
    link,
  }) => {
    const destination = { ...shipmentRequest().destination, city: 'Denver', state: 'CO', zip: '80202' };
    const delivery_window = { start: '2027-01-14T15:00:00Z', end: '2027-01-14T17:00:00Z' };
    const pickup_window = { start: '2027-01-12T16:00:00Z', end: '2027-01-12T18:00:00Z' };
    const { id } = await newShipment(account, { destination, delivery_window, pickup_window });
    await page.goto(`${await link()}/${id}`);
    const textsOf = async (selector: string) =>
      (await page.locator(selector).allTextContents()).map((text) => text.replace(/[\u2009\u202f]/g, ' '));
    const delivered = expect.stringMatching(/Jan 14, 8:00 – 10:00 AM MST/);
    const pickedUp = expect.stringMatching(/Jan 12, 8:00 – 10:00 AM$/); // in Seattle, whose time the reader has
    await vi.waitFor(async () => {
      expect(await textsOf('.facts dd')).toEqual(expect.arrayContaining([pickedUp, delivered]));
      expect(await textsOf('.list .eta')).toEqual([delivered]);
    }, waitTimeout);
  });

  test('the freight is the pieces and their weight together', async ({ account, page, link }) => {
    const items = [
      { description: 'Paint', pieces: 4, weight_kg: 1200 },
      { description: 'Boards', pieces: 12, weight_kg: 300 },
    ];
    const { id } = await newShipment(account, { items });
    await page.goto(`${await link()}/${id}`);
    await page.getByText('16 pieces · 1,500 kg').waitFor();
  });

  test('an exception changes the open chart, also of a shipment that the list does not have', async ({
    account,
    page,
    link,
  }) => {
    const { client } = account;
    const { tracking_number } = await shipmentIn(account, 'in_transit');
    await page.goto(await link());
    await page.getByRole('button', { name: 'Figures' }).click();
    await page.getByText('Nothing went wrong.').waitFor();
    await isLive(page);
    const { id } = await client.raiseException({ tracking_number, code: 'traffic_delay', occurred_at: new Date() });
    const chart = page.getByRole('article').filter({ hasText: 'Exceptions by code' });
    const cells = async () => (await chart.locator('tbody tr').allTextContents()).join();
    await vi.waitFor(async () => expect(await cells()).toBe('Delayed by traffic11'), waitTimeout);
    await client.resolveException({ tracking_number, exception_id: id, resolved_at: new Date() });
    await vi.waitFor(async () => expect(await cells()).toBe('Delayed by traffic10'), waitTimeout);
  });

  test('the open shipment has the changes of an interruption', async ({ account, page, link }) => {
    const { client } = account;
    const { id, tracking_number } = await shipmentIn(account, 'in_transit');
    await client.recordPositions({ tracking_number, positions: [newPosition()] });
    let isCut = false;
    await page.route('**/v1/**', (route) => (isCut ? route.abort() : route.fallback()));
    await page.goto(`${await link()}/${id}`);
    await page.getByText('1 position').waitFor();
    await isLive(page);
    isCut = true;
    const failedRetry = page.waitForEvent(
      'requestfailed',
      (request) => /stream/.test(request.url()) && request.failure()?.errorText === 'net::ERR_FAILED',
    );
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('Offline').waitFor();
    await failedRetry;
    const later = { ...newPosition(), lat: 47.7, lng: -122.1, updated_at: new Date() };
    await client.recordPositions({
      tracking_number,
      positions: [later, { ...later, updated_at: new Date(Date.now() + 1000) }],
    });
    await client.raiseException({
      tracking_number,
      code: 'breakdown',
      occurred_at: new Date(),
      description: 'Flat tyre',
    });
    isCut = false;
    await page.context().setOffline(false);
    await page.getByText('Flat tyre').waitFor();
    await page.getByText('3 positions').waitFor();
  });

  test('the day begins at midnight of the reader', async ({ account, page, link }) => {
    const delivered = await shipmentIn(account, 'delivered');
    const now = new Date();
    const midnight = new Date(now.toLocaleString('en-US', { timeZone: zone }));
    const rest = midnight.setHours(24, 0, 0, 0) - new Date(now.toLocaleString('en-US', { timeZone: zone })).getTime();
    await page.clock.install({ time: now });
    await page.goto(await link());
    await page.getByRole('button', { name: 'Delivered today 1' }).click();
    await shows(page, [delivered.tracking_number]);
    await page.clock.fastForward(rest - 60_000);
    await shows(page, [delivered.tracking_number]);
    await page.clock.fastForward(90_000);
    await page.getByRole('button', { name: 'Delivered today 0' }).waitFor();
    await shows(page, []);
  });

  test('the figures on the page are those of the feed', async ({ account, page, link }) => {
    const { client } = account;
    const delivered_at = new Date(); // of all, so that no midnight is between them
    for (const end of [1, 1, -1]) {
      const { tracking_number } = await shipmentIn(account, 'in_transit', { delivery_window: hours(-2, end) });
      await client.raiseException({ tracking_number, code: 'traffic_delay', occurred_at: new Date() });
      await client.submitProofOfDelivery({
        tracking_number,
        ...(await proofFor(account, tracking_number)),
        delivered_at,
      });
    }
    await page.goto(await link());
    await page.getByRole('button', { name: 'Figures' }).click();
    await page.getByText('All 3 shipments that were created in the last 30 days.').waitFor();
    for (const summary of await page.getByText('As a table').all()) await summary.click();
    const cellsOf = async (name: string) => {
      const rows = await page.getByRole('table', { name }).locator('tbody tr').allInnerTexts();
      return rows.map((row) => row.split('\t'));
    };
    const day = delivered_at.toLocaleDateString('en-US', { timeZone: zone, month: 'short', day: 'numeric' });
    expect(await cellsOf('On time by day')).toEqual([[day, '2', '1']]);
    expect(await cellsOf('Exceptions by code')).toEqual([['Delayed by traffic', '3', '3']]);
    expect((await cellsOf('Time in each status')).map(([name, , , count]) => [name, count])).toEqual([
      ['Scheduled', '3'],
      ['Driver assigned', '3'],
      ['Picked up', '3'],
      ['On the way', '3'],
    ]);
    await page.getByText('66.7%').waitFor();
  });

  test('each state is accessible and fits every window, light and dark', async ({ account, page, link }) => {
    const check = async (name: string) => {
      for (const width of [390, 820, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await overflowOf(page), `${name}, ${width} px, ${colorScheme}`).toBeLessThanOrEqual(0);
        }
        if (width === 390 || width === 1440) await expectAccessible(page, name);
      }
    };
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
    await account.client.recordPositions({ tracking_number, positions: [newPosition()] });
    await account.client.raiseException({ tracking_number, code: 'closed', occurred_at: new Date() });
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
  });
});
