import type { Client } from '@waybill/client';
import { driverFiles } from '@waybill/pages/driver/files';
import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { isLong } from '../fixtures/long-form.ts';
import { chromiumMissing, hasChromium } from '../fixtures/programs/chromium.ts';
import { proofFor } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import * as driver from './driver-on-phone.ts';
import { type Measured, nextButton, test } from './driver-on-phone.ts';

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** Waits until the service has positions of these latitudes, oldest first. */
const hasPositions = (client: Client, tracking_number: string, expected: number[]) =>
  vi.waitFor(async () => {
    const positions = await client.listPositions({ tracking_number }).toArray({ limit: 5000 });
    expect(positions.map(({ lat }) => lat)).toEqual(expected);
  }, waitTimeout);

/** Shares the location of the open shipment without a network, measures positions and gets a network again. */
async function drive(page: Page, measured: Measured[]): Promise<void> {
  await driver.share(page);
  await page.context().setOffline(true);
  await driver.measure(page, measured);
  await page.context().setOffline(false);
}

type Refusal = { status: number; code: string; errors?: { pointer: string }[] };

/** Responds with a problem. */
const refuse = (route: Route, refusal: Refusal, headers: Record<string, string> = {}): Promise<void> => {
  const body = JSON.stringify({ type: 'x', title: 'x', detail: 'x', instance: 'x', request_id: 'x', ...refusal });
  return route.fulfill({ status: refusal.status, contentType: 'application/problem+json', headers, body });
};

/** Refuses writes whose path ends so. @returns counts them */
async function fail(page: Page, path: string, refusal: Refusal, headers: Record<string, string> = {}) {
  const refused = { count: 0 };
  await page.route(`**${path}`, (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    refused.count++;
    return refuse(route, refusal, headers);
  });
  return refused;
}

const invalid = (...pointers: string[]): Refusal => ({
  status: 400,
  code: 'invalid_request',
  errors: pointers.map((pointer) => ({ pointer })),
});

/** Positions of the last minutes, northwards from 45. */
const series = (count: number): Measured[] =>
  Array.from({ length: count }, (_, index) => [(count - index) * minute, 45 + index / 10_000]);

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  const impossible = [1024 * week, -60 * minute].map((ago, lat): Measured => [ago, lat + 1]);
  const some = [...series(25).slice(0, 20), ...impossible, ...series(5)];

  type Row = [string, measured: Measured[], leftOut: number[], refused: number[], pointer: string, text: string];
  const longRows: Row[] = [
    ['refused ones', series(5), [45.0001, 45.0003], [45.0001, 45.0003], '/lat', '2 positions were left out'],
    ['the oldest of 2,001', series(2_001), [45], [], '', ''],
    ['a refused one without a name', series(12), [45.0007], [45.0007], '', 'One position was left out'],
  ];

  test.for<Row>([['impossible ones', some, [1, 2], [], '', '2 positions were left out'], ...(isLong ? longRows : [])])(
    'the service gets each position but %s',
    async ([, measured, leftOut, refused, pointer, text], { client, open, phone, page }) => {
      await driver.fakeReceiver(phone);
      await page.route('**/positions', (route) => {
        const { positions } = route.request().postDataJSON() as { positions: { lat: number }[] };
        const wrong = positions.flatMap(({ lat }, index) => (refused.includes(lat) ? [index] : []));
        if (wrong.length === 0) return route.fallback();
        return refuse(route, invalid(...(pointer ? wrong.map((index) => `/positions/${index}${pointer}`) : [])));
      });
      const { tracking_number } = await open('in_transit');
      await drive(page, measured);
      await page.getByText(text).first().waitFor();
      const latitudes = measured.map(([, lat]) => lat).filter((lat) => !leftOut.includes(lat));
      await hasPositions(client, tracking_number, latitudes);
    },
  );

  test('two loads on one phone get each position, after a failure', async ({ client, open, phone, page }) => {
    await driver.fakeReceiver(phone);
    const [other, one] = [await open('in_transit'), await open('in_transit')];
    await driver.share(page);
    const two = await open('in_transit');
    await fail(page, '/positions', { status: 503, code: 'unavailable' });
    const refused = page.waitForResponse((response) => response.status() === 503);
    await drive(page, [[minute, 45.1]]);
    await refused;
    await page.unroute('**/positions');
    await driver.measure(page, [[0, 45.2]]);
    await driver.wake(page);
    for (const { tracking_number } of [one, two]) await hasPositions(client, tracking_number, [45.1, 45.2]);
    await hasPositions(client, other.tracking_number, []);
  });

  test('positions of a delivered load are sent while another is shown', async ({ client, open, phone, page }) => {
    await driver.fakeReceiver(phone);
    const { tracking_number } = await open('in_transit');
    await fail(page, '/positions', { status: 503, code: 'unavailable' });
    await drive(page, [[minute, 45.1]]);
    await client.submitProofOfDelivery({ tracking_number, ...(await proofFor({ client }, tracking_number)) });
    await driver.wake(page); // it reads the shipment
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await open('scheduled');
    await page.unroute('**/positions');
    await driver.wake(page);
    await hasPositions(client, tracking_number, [45.1]);
  });

  test('a position without a response is stored once, if the clock is set', async ({ client, open, phone, page }) => {
    await driver.fakeReceiver(phone);
    const { tracking_number } = await open('in_transit');
    await driver.share(page);
    await driver.listens(page);
    await driver.installed(page);
    await phone.setOffline(true);
    await page.reload(); // the page does not know the clock of the service
    await driver.measure(page, [[minute, 45.1]]);
    let isLost = false;
    await page.route('**/positions', async (route) => {
      if (!isLost) await route.fetch();
      isLost = true;
      await route.abort();
    });
    await phone.setOffline(false);
    await vi.waitFor(() => expect(isLost).toBe(true), waitTimeout);
    const read = page.waitForResponse((response) => response.url().endsWith(tracking_number));
    await page.clock.fastForward(10 * minute);
    await read; // now the page knows that the clock is wrong
    await page.unroute('**/positions');
    const again = page.waitForResponse((response) => response.url().endsWith('/positions') && response.ok());
    await driver.wake(page);
    await again;
    await hasPositions(client, tracking_number, [45.1]);
  });

  test('a double tap is one step, which can be undone until sent', async ({ client, service, open, phone, page }) => {
    const { tracking_number } = await open('dispatched');
    await nextButton(page).filter({ hasText: 'Confirm pickup' }).waitFor();
    await page.clock.pauseAt(Date.now() + minute); // so that the time to undo lasts on a busy machine
    const { x = 0, y = 0 } = (await nextButton(page).boundingBox()) ?? {};
    await page.mouse.click(x + 100, y + 30);
    await nextButton(page).filter({ hasText: 'Start the trip' }).waitFor();
    await page.mouse.click(x + 100, y + 30); // the second half of a double tap
    await page.clock.fastForward(2_000);
    await driver.sync(page, 'Not sent · 1 wait');
    await page.reload();
    await driver.sync(page, 'Not sent · 1 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('dispatched');
    await driver.tap(page, 'Undo');
    await driver.sync(page, 'All sent');
    await driver.tap(page, 'Confirm pickup');
    await driver.sync(page, 'Not sent · 1 wait');
    await page.close();
    const later = await phone.newPage();
    await later.goto(`${service.origin}/d/`);
    await later.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await later.clock.fastForward(5_000);
    await driver.sync(later, 'All sent');
    expect(await driver.statuses(client, tracking_number)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  });

  test('Back closes a form, and its draft survives a reload until it is sent', async ({ client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await driver.chooseWrong(page, 'Freight is damaged', 'Two pallets are wet');
    await driver.takePhotos(page, 1);
    await page.goBack();
    await page.locator('.steps').waitFor();
    await driver.openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person').fill('R. Alvarez');
    await driver.sign(page);
    await driver.takePhotos(page, 2);
    await page.getByText('Still missing').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('img', { name: 'Photo 2' }).waitFor();
    expect(await page.getByLabel('Name of the person').inputValue()).toBe('R. Alvarez');
    /** Whether a part of the field has ink, from a hundredth of its width on. */
    const hasInk = async (from: number, width = 100 - from) =>
      expect(
        await page.evaluate(`(() => {
          const canvas = document.querySelector('canvas');
          const [x, width] = [${from}, ${width}].map((hundredth) => (canvas.width * hundredth) / 100);
          return canvas.getContext('2d').getImageData(x, 0, width, canvas.height).data.some((value) => value < 100);
        })()`),
      ).toBe(true);
    await vi.waitFor(() => hasInk(0), waitTimeout); // it is shown again
    const [upright, turned] = [
      { width: 390, height: 844 },
      { width: 844, height: 390 },
    ];
    for (const size of [turned, upright]) {
      await page.setViewportSize(size);
      await vi.waitFor(() => hasInk(0, 80), waitTimeout);
      const field = page.getByRole('img', { name: 'Signature' });
      const box = (await field.boundingBox()) ?? expect.unreachable();
      await field.hover({ position: { x: box.width - 40, y: 20 } });
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 5, box.y + 40, { steps: 5 });
      await page.mouse.up();
      await hasInk(95);
    }
    await page.goBack();
    await page.locator('.steps').waitFor();
    await driver.openForm(page, 'Report a problem');
    const entry = await page.evaluate<unknown>('history.state');
    await page.getByRole('img', { name: 'Photo 1' }).waitFor();
    expect(await page.getByLabel('Details').inputValue()).toBe('Two pallets are wet');
    await driver.tap(page, 'Report');
    await page.locator('.steps').waitFor();
    await page.evaluate((state) => history.replaceState(state, ''), entry); // as before the form has closed
    await page.reload();
    await page.locator('.steps').or(page.locator('form.sheet')).first().waitFor();
    await page.clock.fastForward(5_000);
    await driver.sync(page, 'All sent');
    expect(await page.locator('form.sheet').count()).toBe(0); // it does not open again
    await driver.openForm(page, 'Report a problem');
    expect(await page.getByLabel('Details').inputValue()).toBe('');
    await page.goBack();
    await driver.openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await driver.send(page, 'Confirm delivery');
    const { exceptions } = await client.getTracking({ tracking_number });
    expect(exceptions).toMatchObject([{ code: 'damaged', description: 'Two pallets are wet', photo_count: 1 }]);
    const { signed_by, photos, signature_url: url = '' } = await client.getProofOfDelivery({ tracking_number });
    expect([signed_by, photos.length]).toEqual(['R. Alvarez', 2]);
    expect((await (await client.getProofFile({ url })).arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  /** The device measures this place at the next request, with a time in minutes before that of the phone. */
  const place = (lat: number, ago = 0) =>
    `navigator.geolocation.getCurrentPosition = (heard) =>
      heard({ timestamp: Date.now() - ${ago * minute}, coords: { latitude: ${lat}, longitude: -80 } });`;
  const receivers = { denied: '', silent: 'navigator.geolocation.getCurrentPosition = () => {};', old: place(25, 360) };

  test.for(['denied', 'silent', 'old'] as const)(
    'a proof goes without a location that is %s',
    async (how, { client, open, phone, page }) => {
      if (how === 'denied') await phone.clearPermissions();
      await phone.addInitScript(receivers[how]);
      await driver.fakeReceiver(phone);
      const { tracking_number } = await open('in_transit');
      await driver.share(page);
      await driver.measure(page, [[0, 47.25]]); // of an earlier part of the trip
      await page.clock.fastForward(180 * minute);
      await driver.openForm(page, 'Deliver with signature');
      if (how === 'silent') await page.clock.fastForward(10_000);
      await page.getByText('The proof will be sent without it').waitFor();
      await driver.deliver(page);
      await driver.sync(page, 'All sent');
      const { signed_by, location } = await client.getProofOfDelivery({ tracking_number });
      expect([signed_by, location]).toEqual(['R. Alvarez', undefined]);
    },
  );

  test('steps, exceptions and an open proof have the place of their time', async ({ client, open, phone, page }) => {
    await driver.fakeReceiver(phone);
    const { tracking_number } = await open('picked_up');
    /** Three hours pass, as far as the phone knows; then it knows the time of the service again. */
    const drive = async () => {
      await page.clock.fastForward(180 * minute);
      const read = page.waitForResponse((response) => response.url().endsWith(tracking_number));
      await driver.wake(page);
      await read;
    };
    await driver.share(page);
    await driver.measure(page, [[0, 47.25]]);
    await driver.takeStep(page, 'Start the trip');
    await hasPositions(client, tracking_number, [47.25, 47.25]);
    await drive();
    await page.evaluate(place(40.7));
    await phone.setOffline(true);
    await driver.openForm(page, 'Report: nobody here');
    await driver.takeStep(page, 'Report');
    await page.clock.fastForward(3 * minute);
    await page.evaluate(place(33.7));
    await driver.openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await page.evaluate(place(25.7));
    await phone.setOffline(false);
    await drive();
    await driver.deliver(page);
    await driver.sync(page, 'All sent');
    const { exceptions } = await client.getTracking({ tracking_number });
    const { location } = await client.getProofOfDelivery({ tracking_number });
    expect([exceptions, location]).toMatchObject([[{ location: { lat: 40.7 } }], { lat: 25.7 }]);
  });

  test('a driver undoes steps, and ends or takes back what was reported', async ({ client, open, phone, page }) => {
    const { tracking_number } = await open();
    /** Taps a button until it is gone: the page ignores a tap that comes while its buttons move. */
    const press = async (button: Locator) => {
      await button.waitFor();
      await vi.waitFor(async () => {
        await page.clock.fastForward(1_000);
        if (await button.count()) await button.click({ timeout: 2_000 });
        await button.waitFor({ state: 'detached', timeout: 2_000 });
      }, waitTimeout);
      await page.clock.fastForward(5_000);
    };
    const undoes = (step: string) => press(page.getByRole('button', { name: `Undo: ${step}`, exact: true }));
    await driver.send(page, 'Take this shipment', 'Confirm pickup');
    await page.clock.fastForward(60 * minute); // far later
    await undoes('Picked up');
    await driver.sync(page, 'All sent');
    await driver.send(page, 'Confirm pickup');
    await phone.setOffline(true);
    await driver.tap(page, 'Start the trip');
    await page.getByText('“On the way” will be sent when there is a network.').waitFor();
    await page.clock.fastForward(5_000);
    await undoes('On the way');
    await driver.chooseWrong(page, 'Freight is damaged');
    await driver.takeStep(page, 'Report');
    await driver.chooseWrong(page, 'Delayed by traffic');
    await driver.takeStep(page, 'Report');
    await driver.sync(page, 'Offline · 2 wait');
    await phone.setOffline(false);
    for (const [what, button] of [
      ['Freight is damaged', 'Raised by mistake'],
      ['Delayed by traffic', 'It is over'],
    ] as const) {
      await driver.sync(page, 'All sent');
      await press(page.getByRole('article').filter({ hasText: what }).getByRole('button', { name: button }));
    }
    await driver.sync(page, 'All sent');
    const { timeline, exceptions } = await client.getTracking({ tracking_number });
    expect(exceptions).toMatchObject([{ code: 'traffic_delay', resolved_at: expect.any(String) }]);
    const entries = timeline.map(({ status, voided_at }) => (voided_at ? `no ${status}` : status));
    expect(entries.sort()).toEqual(['dispatched', 'no picked_up', 'picked_up', 'scheduled']);
  });

  test('a link that may only read or does not work replaces none', async ({ client, service, open, linkTo, page }) => {
    const { id: shipment_id, tracking_number } = await open();
    const warning = page.getByText('The link that you opened last does not work here');
    await driver.follow(page, (await linkTo({ id: shipment_id })).replace(/.{5}\/ship/, 'aaaaa/ship'));
    await warning.waitFor();
    await driver.send(page, 'Take this shipment');
    const { token } = await client.createAccess({ shipment_id, scopes: ['shipments:read', 'tracking:read'] });
    await driver.follow(page, `${service.origin}/d/#${token}/${shipment_id}`);
    await driver.takeStep(page, 'Confirm pickup');
    await warning.waitFor();
    await driver.sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('picked_up');
  });

  test('what waits for an ended link goes with a new one', async ({ client, service, open, linkTo, phone, page }) => {
    const [sent, dropped] = [await driver.newFreight(client), await driver.newFreight(client)];
    for (const { id: shipment_id, tracking_number } of [sent, dropped]) {
      const link = await linkTo({ id: shipment_id });
      await page.goto(link);
      await page.locator('header').getByText(tracking_number).waitFor();
      await phone.setOffline(true);
      await driver.takeStep(page, 'Take this shipment');
      const { data } = await client.listAccesses({ shipment_id });
      for (const { id: access_id } of data) await client.deleteAccess({ shipment_id, access_id });
      await driver.refuses(service.baseUrl, driver.tokenOf(link), shipment_id);
      await phone.setOffline(false);
      await page.getByText('1 entry waits on this phone').waitFor();
    }
    const other = await open();
    await driver.sync(page, 'Not sent · 2 wait');
    await driver.show(page, dropped);
    page.on('dialog', (dialog) => void dialog.accept());
    await driver.tap(page, 'Discard');
    await driver.sync(page, 'Not sent · 1 wait');
    await driver.follow(page, await linkTo(sent));
    await driver.sync(page, 'All sent');
    expect(await driver.statuses(client, sent.tracking_number)).toEqual(['scheduled', 'dispatched']);
    await driver.show(page, other);
    expect(await page.getByRole('button', { name: dropped.tracking_number }).count()).toBe(0);
  });

  test.for([
    ['time', 1, 'R. Alvarez'],
    ['name', 0, 'Owen Castillo'],
  ] as const)('a delivery with another %s is not its own', async ([, earlier, signed_by], { client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    const deliverFirst = async (route: Route) => {
      const proof = { ...(await proofFor({ client }, tracking_number)), signed_by };
      const delivered_at = new Date(Date.parse(route.request().postDataJSON().delivered_at) - earlier);
      await client.submitProofOfDelivery({ tracking_number, ...proof, delivered_at });
      await route.continue();
    };
    await page.route('**/pod', deliverFirst, { times: 1 });
    await driver.deliver(page);
    const known = page.locator('.sync').filter({ hasText: /^Needs you|^All sent/ });
    await known.waitFor();
    expect(await known.textContent()).toBe('Needs you · 1 wait');
    expect(await page.getByRole('alert').textContent()).toContain('somebody else recorded another step');
  });

  test('nothing but its time ends a pause, and a limit of files needs the driver', async ({ client, open, page }) => {
    const { tracking_number } = await open('picked_up');
    const refused = await fail(page, '/events', { status: 429, code: 'rate_limited' }, { 'Retry-After': '600' });
    await driver.takeStep(page, 'Start the trip');
    await vi.waitFor(() => expect(refused.count).toBe(1), waitTimeout);
    await driver.sync(page, 'Not sent · 1 wait');
    const read = page.waitForResponse((response) => response.url().includes('/shipments/'));
    await driver.wake(page); // it wakes the sender, and then reads the shipment
    await read;
    await fail(page, '/uploads', { status: 429, code: 'upload_limit_reached' }, { 'Retry-After': '3600' });
    await driver.chooseWrong(page, 'Freight is damaged');
    await driver.takePhotos(page, 1);
    await driver.takeStep(page, 'Report');
    expect(refused.count).toBe(1);
    await page.unroute('**/events');
    await page.clock.fastForward(601_000);
    await page.getByText('Too many files of this shipment are unfinished').waitFor();
    await driver.sync(page, 'Needs you · 1 wait');
    await page.unroute('**/uploads');
    await driver.tap(page, 'Send again'); // the dispatcher has made room
    await driver.sync(page, 'All sent');
    const { status, exceptions } = await client.getTracking({ tracking_number });
    expect([status, exceptions]).toMatchObject(['in_transit', [{ photo_count: 1 }]]);
  });

  test('on a phone 12 minutes ahead, refused entries are changed, and times true', async ({ client, open, page }) => {
    await page.clock.install({ time: Date.now() + 12 * minute });
    await page.route('**/exceptions', (route) =>
      route.request().postData()?.includes('bad text') ? refuse(route, invalid('/description')) : route.fallback(),
    );
    const { tracking_number } = await open('picked_up');
    await driver.chooseWrong(page, 'Freight is damaged', 'bad text');
    await driver.takeStep(page, 'Report');
    await page.getByText('Something that you entered was not accepted').waitFor();
    await driver.openForm(page, 'Report: nobody here'); // it does not wait for the other one
    await driver.takeStep(page, 'Report');
    await driver.sync(page, 'Needs you · 1 wait');
    await driver.tap(page, 'Change');
    await page.getByLabel('Details').fill('good text');
    await driver.send(page, 'Report');
    await page.route('**/events', (route) => refuse(route, invalid('/timestamp')));
    await driver.takeStep(page, 'Start the trip');
    await driver.sync(page, 'Needs you · 1 wait');
    await page.unroute('**/events');
    await driver.tap(page, 'Send with the present time');
    await driver.sync(page, 'All sent');
    const { timeline, exceptions = [] } = await client.getTracking({ tracking_number });
    const reported = exceptions.map(({ code, description }) => `${code}: ${description}`);
    expect(reported.sort()).toEqual(['damaged: good text', 'nobody_there: undefined']);
    expect(timeline.at(-1)?.status).toBe('in_transit');
    for (const time of [timeline.at(-1)?.timestamp ?? '', ...exceptions.map(({ occurred_at }) => occurred_at)])
      expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(minute);
  });

  test('a new service worker replaces the stored files of the old one', async ({ service, phone, page }) => {
    const files = driverFiles(service.baseUrl);
    const target = () => service.origin;
    await using relay = await driver.startRelay(target, () => 'pass', files);
    await page.goto(`${relay.origin}/d/`);
    await driver.installed(page);
    const names = (): Promise<string[]> => page.evaluate<string[]>('caches.keys()');
    expect(await names()).not.toContain('waybill-driver-next');
    const worker = files['/d/worker.js'];
    if (worker) worker.body = worker.body.replace(/const version="[^"]*"/, 'const version="next"');
    await page.evaluate('navigator.serviceWorker.getRegistration().then((registration) => registration.update())');
    await vi.waitFor(async () => expect(await names()).toEqual(['waybill-driver-next']), waitTimeout);
    await phone.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'No shipment' }).waitFor();
  });
});
