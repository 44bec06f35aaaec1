import type { Client } from '@waybill/client';
import { driverFiles } from '@waybill/pages/driver/files';
import type { Page, Route } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { proofFor } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import {
  chooseWrong,
  deliver,
  fakeReceiver,
  follow,
  installed,
  listens,
  type Measured,
  measure,
  newFreight,
  nextButton,
  openForm,
  refuses,
  share,
  show,
  sign,
  startRelay,
  stored,
  sync,
  takePhotos,
  takeStep,
  tap,
  test,
  tokenOf,
  wake,
} from './driver.ts';

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** Waits until the service has positions of these latitudes, oldest first. */
const hasPositions = (client: Client, { tracking_number }: { tracking_number: string }, expected: number[]) =>
  vi.waitFor(async () => {
    const positions = await client.listPositions({ tracking_number }).toArray({ limit: 5000 });
    expect(positions.map(({ lat }) => lat)).toEqual(expected);
  }, waitTimeout);

/** Shares the location of the open shipment without a network, measures positions and gets a network again. */
async function drive(page: Page, measured: Measured[]): Promise<void> {
  await share(page);
  await page.context().setOffline(true);
  await measure(page, measured);
  await page.context().setOffline(false);
}

interface Refusal {
  status: number;
  code: string;
  errors?: { pointer: string }[];
}

/** Responds with a problem. */
function refuse(route: Route, { errors, ...given }: Refusal, headers: Record<string, string> = {}) {
  const problem = { type: 'x', title: 'x', detail: 'x', instance: 'x', request_id: 'x', ...given };
  const body = JSON.stringify({
    ...problem,
    errors: errors?.map((each) => ({ ...each, in: 'body', code: 'x', detail: 'x' })),
  });
  return route.fulfill({ status: given.status, contentType: 'application/problem+json', headers, body });
}

/** Refuses writes whose path ends so. @returns counts them */
async function fail(page: Page, path: string, refusal: Refusal, headers: Record<string, string> = {}) {
  const counted = { count: 0 };
  await page.route(`**${path}`, (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    counted.count++;
    return refuse(route, refusal, headers);
  });
  return counted;
}

/** A point that a response reaches, where it waits until the test releases it. */
function holdPoint() {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = (): Promise<void> => {
    reached.resolve();
    return released.promise;
  };
  return { reached: reached.promise, release: released.resolve, pass };
}

/** Positions of the last minutes, northwards from 45. */
const series = (count: number): Measured[] =>
  Array.from({ length: count }, (_, index) => [(count - index) * minute, 45 + index / 10_000]);

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  const impossible: Measured[] = [
    [1024 * week, 1],
    [-60 * minute, 2],
    [15 * minute, 0, 0],
  ];
  test.for<[string, measured: Measured[], leftOut: number[], refused: number[], pointer: string, text: string]>([
    [
      'impossible ones',
      [...series(25).slice(0, 20), ...impossible, ...series(5)],
      [0, 1, 2],
      [],
      '',
      '3 positions were left out',
    ],
    ['refused ones', series(5), [45.0001, 45.0003], [45.0001, 45.0003], '/lat', '2 positions were left out'],
    ['a refused one of many without a name', series(12), [45.0007], [45.0007], '', 'One position was left out'],
    ['the oldest of 2,001', series(2_001), [45], [], '', ''],
  ])(
    'the service gets each position but %s',
    async ([, measured, leftOut, refused, pointer, text], { client, open, phone, page }) => {
      await fakeReceiver(phone);
      await page.route('**/positions', (route) => {
        const { positions } = route.request().postDataJSON() as { positions: { lat: number }[] };
        const wrong = positions.flatMap(({ lat }, index) => (refused.includes(lat) ? [index] : []));
        if (wrong.length === 0) return route.fallback();
        const errors = wrong.map((index) => ({ pointer: `/positions/${index}${pointer}` }));
        return refuse(route, { status: 400, code: 'invalid_request', ...(pointer && { errors }) });
      });
      const shipment = await open('in_transit');
      await drive(page, measured);
      await page.getByText(text).first().waitFor();
      await hasPositions(
        client,
        shipment,
        measured.map(([, lat]) => lat).filter((lat) => !leftOut.includes(lat)),
      );
    },
  );

  test('two loads that share the location get each position, after a failure', async ({
    client,
    open,
    phone,
    page,
  }) => {
    await fakeReceiver(phone);
    const [other, one] = [await open('in_transit'), await open('in_transit')];
    await share(page);
    const two = await open('in_transit');
    const failed = await fail(page, '/positions', { status: 503, code: 'unavailable' });
    await drive(page, [[minute, 45.1]]);
    await vi.waitFor(() => expect(failed.count).toBeGreaterThan(0), waitTimeout);
    await page.unroute('**/positions');
    await measure(page, [[0, 45.2]]);
    await wake(page);
    for (const shipment of [one, two]) await hasPositions(client, shipment, [45.1, 45.2]);
    await hasPositions(client, other, []);
  });

  test('a position whose response is lost is stored once, if the clock is set', async ({
    client,
    open,
    phone,
    page,
  }) => {
    await fakeReceiver(phone);
    const shipment = await open('in_transit');
    await share(page);
    await listens(page);
    await installed(page);
    await phone.setOffline(true);
    await page.reload(); // the page does not know the clock of the service
    await measure(page, [[minute, 45.1]]);
    let isLost = false;
    await page.route('**/positions', async (route) => {
      if (!isLost) await route.fetch();
      isLost = true;
      await route.abort();
    });
    await phone.setOffline(false);
    await vi.waitFor(() => expect(isLost).toBe(true), waitTimeout);
    const read = page.waitForResponse((response) => response.url().endsWith(shipment.tracking_number));
    await page.clock.fastForward(10 * minute);
    await read; // now the page knows that the clock is wrong
    await page.unroute('**/positions');
    const again = page.waitForResponse((response) => response.url().endsWith('/positions') && response.ok());
    await wake(page);
    await again;
    await hasPositions(client, shipment, [45.1]);
  });

  test('a double tap takes one step, which can be undone until sent', async ({
    client,
    service,
    open,
    phone,
    page,
  }) => {
    const { tracking_number } = await open('dispatched');
    await nextButton(page).filter({ hasText: 'Picked up' }).waitFor();
    const box = await nextButton(page).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 100, (box?.y ?? 0) + 30];
    await page.mouse.click(x, y);
    await nextButton(page).filter({ hasText: 'On the way' }).waitFor();
    await page.mouse.click(x, y); // the second half of a double tap
    await page.clock.fastForward(2_000);
    await sync(page, 'Not sent · 1 wait');
    await page.reload();
    await sync(page, 'Not sent · 1 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('dispatched');
    await tap(page, 'Undo');
    await nextButton(page).filter({ hasText: 'Picked up' }).waitFor();
    await sync(page, 'All sent');
    await tap(page, 'Picked up');
    await sync(page, 'Not sent · 1 wait');
    await page.close();
    const later = await phone.newPage();
    await later.goto(`${service.origin}/d/`);
    await later.getByRole('button', { name: 'Undo' }).waitFor();
    await later.clock.fastForward(5_000);
    await sync(later, 'All sent');
    const { timeline } = await client.getTracking({ tracking_number });
    expect(timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  });

  test('a tap on a button that another one has replaced is ignored for a second', async ({ client, open, page }) => {
    const { tracking_number } = await open();
    await page.clock.pauseAt(Date.now() + 60_000);
    await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await wake(page);
    const changed = nextButton(page).filter({ hasText: 'Picked up' });
    const undo = page.getByRole('button', { name: 'Undo' });
    for (const later of [0, 900]) {
      await page.clock.fastForward(later);
      await changed.click();
      expect(await undo.count()).toBe(0);
    }
    await page.clock.fastForward(100);
    await changed.click();
    await undo.waitFor();
  });

  test('Back closes a form, and its draft survives a reload until it is sent', async ({ client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await chooseWrong(page, 'Freight is damaged', 'Two pallets are wet');
    await takePhotos(page, 1);
    await page.goBack();
    await page.locator('.steps').waitFor();
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person').fill('R. Alvarez');
    await sign(page);
    await takePhotos(page, 2);
    await page.getByText('Still missing').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('img', { name: 'Photo 2' }).waitFor();
    expect(await page.getByLabel('Name of the person').inputValue()).toBe('R. Alvarez');
    const ink = `(() => {
      const canvas = document.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value < 100);
    })()`;
    await vi.waitFor(async () => expect(await page.evaluate(ink)).toBe(true), waitTimeout); // it is shown again
    await page.goBack();
    await page.locator('.steps').waitFor();
    await openForm(page, 'Something is wrong');
    await page.getByRole('img', { name: 'Photo 1' }).waitFor();
    expect(await page.getByLabel('Details').inputValue()).toBe('Two pallets are wet');
    await takeStep(page, 'Report');
    await sync(page, 'All sent');
    await openForm(page, 'Something is wrong');
    expect(await page.getByLabel('Details').inputValue()).toBe('');
    await page.goBack();
    await openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await takeStep(page, 'Delivered');
    await sync(page, 'All sent');
    const { exceptions } = await client.getTracking({ tracking_number });
    expect(exceptions).toMatchObject([{ code: 'damaged', description: 'Two pallets are wet', photo_count: 1 }]);
    const { signed_by, photos, signature_url: url = '' } = await client.getProofOfDelivery({ tracking_number });
    expect([signed_by, photos.length]).toEqual(['R. Alvarez', 2]);
    expect((await (await client.getProofFile({ url })).arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  test('a form that was submitted does not open again after a reload', async ({ client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await openForm(page, 'Something is wrong');
    const entry = await page.evaluate<unknown>('history.state');
    await page.getByLabel('Delayed by traffic').check();
    await tap(page, 'Report');
    await page.locator('.steps').waitFor();
    await page.evaluate((state) => history.replaceState(state, ''), entry); // as before the form has closed
    await page.reload();
    await page.locator('.steps').or(page.locator('form.sheet')).first().waitFor();
    await page.clock.fastForward(5_000);
    await sync(page, 'All sent');
    expect(await page.locator('form.sheet').count()).toBe(0);
    await openForm(page, 'Deliver with signature');
    await page.getByRole('heading', { name: 'Proof of delivery' }).waitFor();
    expect((await client.getTracking({ tracking_number })).exceptions).toHaveLength(1);
  });

  test('a signature that is cleared is missing, and Undo opens the form as it was', async ({ client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await openForm(page, 'Deliver with signature');
    const name = page.getByLabel('Name of the person');
    await name.fill('R. Alvarez');
    const missing = page.getByText('Still missing: Signature');
    await missing.waitFor();
    await sign(page);
    await missing.waitFor({ state: 'detached' });
    await tap(page, 'Clear');
    await missing.waitFor();
    await sign(page);
    await missing.waitFor({ state: 'detached' });
    await page.getByLabel('Nobody signs').check();
    await page.getByText('Still missing: Photo 1').waitFor();
    await page.clock.fastForward(1_000);
    await page.getByLabel('Nobody signs').uncheck();
    await missing.waitFor();
    await stored(page);
    await page.reload();
    await missing.waitFor();
    expect(await page.getByRole('button', { name: 'Delivered' }).isDisabled()).toBe(true);
    await sign(page);
    await missing.waitFor({ state: 'detached' });
    await tap(page, 'Delivered');
    await tap(page, 'Undo');
    await name.waitFor();
    expect(await name.inputValue()).toBe('R. Alvarez');
    expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
    await name.fill('R. Alvarez-Ruiz');
    await takeStep(page, 'Delivered');
    await sync(page, 'All sent');
    expect((await client.getProofOfDelivery({ tracking_number })).signed_by).toBe('R. Alvarez-Ruiz');
  });

  test.for(['denied', 'silent', 'zero'])(
    'a proof goes without a location that is %s',
    async (how, { client, open, phone, page }) => {
      if (how === 'denied') await phone.clearPermissions();
      if (how === 'silent') await phone.addInitScript('navigator.geolocation.getCurrentPosition = () => {}');
      if (how === 'zero') await phone.setGeolocation({ latitude: 0, longitude: 0 });
      const { tracking_number } = await open('in_transit');
      await openForm(page, 'Deliver with signature');
      if (how === 'silent') await page.clock.fastForward(10_000);
      await page.getByText('The proof will be sent without it').waitFor();
      await deliver(page);
      await sync(page, 'All sent');
      const { signed_by, location } = await client.getProofOfDelivery({ tracking_number });
      expect([signed_by, location]).toEqual(['R. Alvarez', undefined]);
    },
  );

  test('a link that may only read or does not work replaces none', async ({ client, service, open, linkTo, page }) => {
    const shipment = await open();
    const { tracking_number } = shipment;
    const warning = page.getByText('The link that you opened last does not work here');
    await follow(page, (await linkTo(shipment)).replace(/.{5}\/ship/, 'aaaaa/ship'));
    await warning.waitFor();
    await takeStep(page, 'I take this shipment');
    await sync(page, 'All sent');
    const scopes: ['shipments:read', 'tracking:read'] = ['shipments:read', 'tracking:read'];
    const { token } = await client.createAccess({ shipment_id: shipment.id, scopes });
    await follow(page, `${service.origin}/d/#${token}/${shipment.id}`);
    await takeStep(page, 'Picked up');
    await warning.waitFor();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('picked_up');
  });

  test('what waits for an ended link goes with a new one', async ({ client, service, open, linkTo, phone, page }) => {
    const [sent, dropped] = [await newFreight(client), await newFreight(client)];
    for (const shipment of [sent, dropped]) {
      const link = await linkTo(shipment);
      await page.goto(link);
      await page.locator('header').getByText(shipment.tracking_number).waitFor();
      await phone.setOffline(true);
      await takeStep(page, 'I take this shipment');
      const { data } = await client.listAccesses({ shipment_id: shipment.id });
      for (const { id } of data) await client.deleteAccess({ shipment_id: shipment.id, access_id: id });
      await refuses(service.baseUrl, tokenOf(link), shipment.id);
      await phone.setOffline(false);
      await page.getByText('1 entry waits on this phone').waitFor();
    }
    const other = await open();
    await sync(page, 'Not sent · 2 wait');
    await show(page, dropped);
    page.on('dialog', (dialog) => void dialog.accept());
    await tap(page, 'Discard');
    await sync(page, 'Not sent · 1 wait');
    await follow(page, await linkTo(sent));
    await nextButton(page).filter({ hasText: 'Picked up' }).waitFor();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number: sent.tracking_number })).status).toBe('dispatched');
    await show(page, other);
    expect(await page.getByRole('button', { name: dropped.tracking_number }).count()).toBe(0);
  });

  test('a late refusal of an old token leaves the new link open', async ({ client, linkTo, page }) => {
    const shipment = await newFreight(client);
    const { tracking_number } = shipment;
    const old = await linkTo(shipment);
    await page.goto(old);
    await sync(page, 'All sent');
    const held = holdPoint();
    await page.route('**/events', async (route) => {
      if (!route.request().headers().authorization?.includes(tokenOf(old))) return route.fallback();
      await held.pass();
      return refuse(route, { status: 401, code: 'unauthenticated' });
    });
    await takeStep(page, 'I take this shipment');
    await held.reached;
    await follow(page, await linkTo(shipment));
    await nextButton(page).waitFor();
    held.release();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('dispatched');
    await nextButton(page).filter({ hasText: 'Picked up' }).waitFor();
  });

  test('a status that is read late does not replace a newer one', async ({ client, open, page }) => {
    const { id, tracking_number } = await open();
    await sync(page, 'All sent');
    // The page stores the notes and the status of a reading together: once it shows these notes, it has both.
    await client.updateShipment({ shipment_id: id, notes: 'Dock 7.' });
    const held = holdPoint();
    const delay = async (route: Route) => {
      const response = await route.fetch();
      await held.pass();
      return route.fulfill({ response });
    };
    await page.route(`**/tracking/${tracking_number}`, delay, { times: 1 });
    await wake(page);
    await held.reached;
    await takeStep(page, 'I take this shipment');
    await sync(page, 'All sent');
    held.release();
    await page.getByText('Dock 7.').waitFor();
    expect(await nextButton(page).textContent()).toBe('Picked up');
  });

  test.for([
    ['time', 1, 'R. Alvarez'],
    ['name', 0, 'Owen Castillo'],
  ] as const)(
    'a delivery that is recorded meanwhile with another %s is that of another',
    async ([, earlier, signed_by], { client, open, page }) => {
      const { tracking_number } = await open('in_transit');
      const deliverFirst = async (route: Route) => {
        const proof = { ...(await proofFor({ client }, tracking_number)), signed_by };
        const delivered_at = new Date(Date.parse(route.request().postDataJSON().delivered_at) - earlier);
        await client.submitProofOfDelivery({ tracking_number, ...proof, delivered_at });
        return route.continue();
      };
      await page.route('**/pod', deliverFirst, { times: 1 });
      await deliver(page);
      const known = page.locator('.sync').filter({ hasText: /^Needs you|^All sent/ });
      await known.waitFor();
      expect(await known.textContent()).toBe('Needs you · 1 wait');
      expect(await page.getByRole('alert').textContent()).toContain('somebody else recorded another step');
    },
  );

  test('nothing but its time ends the pause that the service asks for', async ({ open, page }) => {
    await open();
    const refused = await fail(page, '/events', { status: 429, code: 'rate_limited' }, { 'Retry-After': '600' });
    await takeStep(page, 'I take this shipment');
    await vi.waitFor(() => expect(refused.count).toBe(1), waitTimeout);
    await sync(page, 'Not sent · 1 wait');
    const read = page.waitForResponse((response) => response.url().includes('/shipments/'));
    await wake(page); // it wakes the sender, and then reads the shipment
    await read;
    await takeStep(page, 'Picked up');
    expect(refused.count).toBe(1);
    await page.unroute('**/events');
    await page.clock.fastForward(601_000);
    await sync(page, 'All sent');
  });

  test.for([
    ['upload_limit_reached', 'Too many files of this shipment are unfinished'],
    ['storage_quota_exceeded', 'The storage for files is full'],
  ] as const)('photos that %s stops do not just wait', async ([code, text], { client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await fail(page, '/uploads', { status: 429, code }, { 'Retry-After': '3600' });
    await chooseWrong(page, 'Freight is damaged');
    await takePhotos(page, 1);
    await takeStep(page, 'Report');
    await page.getByText(text).waitFor();
    await sync(page, 'Needs you · 1 wait');
    await page.unroute('**/uploads');
    await tap(page, 'Send again'); // the dispatcher has made room
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).exceptions).toMatchObject([{ photo_count: 1 }]);
  });

  test('a refused entry can be changed, and a refused time sent as now', async ({ client, open, page }) => {
    await page.clock.install({ time: Date.now() + 12 * minute });
    const invalid = (pointer: string) => ({ status: 400, code: 'invalid_request', errors: [{ pointer }] });
    await page.route('**/exceptions', (route) =>
      route.request().postData()?.includes('bad text') ? refuse(route, invalid('/description')) : route.fallback(),
    );
    const { tracking_number } = await open('picked_up');
    await chooseWrong(page, 'Freight is damaged', 'bad text');
    await takeStep(page, 'Report');
    await page.getByText('Something that you entered was not accepted').waitFor();
    await openForm(page, 'Nobody here');
    await takeStep(page, 'Report');
    await sync(page, 'Needs you · 1 wait');
    await tap(page, 'Change');
    await page.getByLabel('Details').fill('good text');
    await takeStep(page, 'Report');
    await sync(page, 'All sent');
    await fail(page, '/events', invalid('/timestamp'));
    await takeStep(page, 'On the way');
    await sync(page, 'Needs you · 1 wait');
    await page.unroute('**/events');
    await tap(page, 'Send with the present time');
    await sync(page, 'All sent');
    const { timeline, exceptions = [] } = await client.getTracking({ tracking_number });
    expect(exceptions.map(({ code, description }) => [code, description]).sort()).toEqual([
      ['damaged', 'good text'],
      ['nobody_there', undefined],
    ]);
    const { status, timestamp = '' } = timeline.at(-1) ?? {};
    expect(status).toBe('in_transit');
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(minute);
  });

  test('a new service worker replaces the stored files of the old one', async ({ service, phone, page }) => {
    const files = driverFiles(service.baseUrl);
    await using relay = await startRelay(
      () => service.origin,
      () => 'pass',
      files,
    );
    await page.goto(`${relay.origin}/d/`);
    await installed(page);
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
