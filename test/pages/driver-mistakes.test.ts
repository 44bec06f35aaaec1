import { type Client, createClient } from '@waybill/client';
import { driverFiles } from '@waybill/pages/driver/files';
import type { Page, Route } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { inTransit, proofFor, shipmentIn } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import {
  deliver,
  draftsStored,
  driverLink,
  fakeReceiver,
  listens,
  measure,
  newFreight,
  nextButton,
  openForm,
  report,
  share,
  show,
  sign,
  startRelay,
  sync,
  takePhotos,
  takeStep,
  tap,
  test,
} from './driver.ts';

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** The latitudes of the positions that the service has, oldest first. */
async function latitudesOf(client: Client, tracking_number: string): Promise<number[]> {
  const positions = await client.listPositions({ tracking_number }).toArray({ limit: 5000 });
  return positions.map(({ lat }) => lat);
}

/** Shares the location of the open shipment without a network, measures positions and gets a network again. */
async function drive(page: Page, measured: Parameters<typeof measure>[1]): Promise<void> {
  await share(page);
  await page.context().setOffline(true);
  await measure(page, measured);
  await page.context().setOffline(false);
}

/** Responds with a problem. */
function refuse(route: Route, given: { status: number; code: string }, headers: Record<string, string> = {}) {
  const problem = { type: 'x', title: 'x', detail: 'x', instance: 'x', request_id: 'x', ...given };
  const { status } = given;
  return route.fulfill({ status, contentType: 'application/problem+json', headers, body: JSON.stringify(problem) });
}

/** Stops requests whose path ends so. @returns lets them pass again */
async function fail(page: Page, path: string, status: number, headers: Record<string, string> = {}, code = 'x') {
  const counted = { count: 0 };
  await page.route(`**${path}`, (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    counted.count++;
    return refuse(route, { status, code }, headers);
  });
  return counted;
}

const tokenOf = (link: string): string => /wba_[^/]+/.exec(link)?.[0] ?? '';

/** Ends all links of a shipment, and waits until the service refuses a token. */
async function revoke(client: Client, shipment_id: string, link: string, baseUrl: string): Promise<void> {
  const { data } = await client.listAccesses({ shipment_id });
  for (const { id } of data) await client.deleteAccess({ shipment_id, access_id: id });
  const ended = createClient({ baseUrl, accessToken: tokenOf(link) });
  await vi.waitFor(
    () => expect(ended.getShipment({ shipment_id })).rejects.toMatchObject({ status: 401 }),
    waitTimeout,
  );
}

/** A point at which a response waits until the test releases it. */
function holdPoint() {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    /** Resolves when a response waits. */
    reached: reached.promise,
    release: released.resolve,
    pass(): Promise<void> {
      reached.resolve();
      return released.promise;
    },
  };
}

/** Opens another link in the open page. */
const follow = (page: Page, link: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('positions that cannot be true are left out, and all others are stored', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await fakeReceiver(phone);
    await page.goto(await driverLink(client, id, service.origin));
    const good = Array.from({ length: 30 }, (_, index) => [(30 - index) * minute, 45 + index / 100] as const);
    await drive(page, [
      [1024 * week, 1],
      ...good.slice(0, 10).map(([ago, lat]) => [ago, lat] as [number, number]),
      [-60 * minute, 2],
      [15 * minute, 0, 0],
      ...good.slice(10).map(([ago, lat]) => [ago, lat] as [number, number]),
    ]);
    await page.getByText('3 positions were left out').waitFor();
    await vi.waitFor(
      async () => expect(await latitudesOf(client, tracking_number)).toEqual(good.map(([, lat]) => lat)),
      waitTimeout,
    );
  });

  test('positions that the service refuses are left out of their request, and the page says so', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await fakeReceiver(phone);
    await page.route('**/positions', (route) => {
      const { positions } = route.request().postDataJSON() as { positions: { lat: number }[] };
      const wrong = positions.flatMap(({ lat }, index) => ([45.15, 45.3].includes(lat) ? [index] : []));
      if (wrong.length === 0) return route.fallback();
      const errors = wrong.map((index) => ({ in: 'body', pointer: `/positions/${index}/lat`, code: 'x', detail: 'x' }));
      return refuse(route, { ...{ status: 400, code: 'invalid_request' }, errors } as never);
    });
    await page.goto(await driverLink(client, id, service.origin));
    await drive(page, [
      [4 * minute, 45.1],
      [3 * minute, 45.15],
      [2 * minute, 45.2],
      [1 * minute, 45.3],
      [0, 45.4],
    ]);
    await page.getByText('2 positions were left out').waitFor();
    await vi.waitFor(
      async () => expect(await latitudesOf(client, tracking_number)).toEqual([45.1, 45.2, 45.4]),
      waitTimeout,
    );
  });

  test('a refusal that names no position costs no position but the one that causes it', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await fakeReceiver(phone);
    await page.route('**/positions', (route) => {
      const { positions } = route.request().postDataJSON() as { positions: { lat: number }[] };
      if (!positions.some(({ lat }) => lat === 45.07)) return route.fallback();
      return refuse(route, { status: 400, code: 'invalid_request' });
    });
    await page.goto(await driverLink(client, id, service.origin));
    const all = Array.from({ length: 12 }, (_, index) => 45 + index / 100);
    await drive(
      page,
      all.map((lat, index) => [(12 - index) * minute, lat]),
    );
    await page.getByText('One position was left out').waitFor();
    await vi.waitFor(
      async () => expect(await latitudesOf(client, tracking_number)).toEqual(all.filter((lat) => lat !== 45.07)),
      waitTimeout,
    );
  });

  test('positions of a failed request are sent later', async ({ service, account: { client }, phone, page }) => {
    const { id, tracking_number } = await inTransit({ client });
    await fakeReceiver(phone);
    await page.goto(await driverLink(client, id, service.origin));
    const failed = await fail(page, '/positions', 503);
    await drive(page, [[minute, 45.1]]);
    await vi.waitFor(() => expect(failed.count).toBeGreaterThan(0), waitTimeout);
    await page.unroute('**/positions');
    await measure(page, [[0, 45.2]]);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await vi.waitFor(async () => expect(await latitudesOf(client, tracking_number)).toEqual([45.1, 45.2]), waitTimeout);
  });

  test('a position whose time was corrected is stored once, when its response is lost and the clock is set', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await fakeReceiver(phone);
    await page.goto(await driverLink(client, id, service.origin));
    await share(page);
    await listens(page);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
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
    const read = page.waitForResponse((response) => response.url().endsWith(tracking_number));
    await page.clock.fastForward(10 * minute);
    await read; // now the page knows that the clock is wrong
    await page.unroute('**/positions');
    const again = page.waitForResponse((response) => response.url().endsWith('/positions') && response.ok());
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await again;
    expect(await latitudesOf(client, tracking_number)).toEqual([45.1]);
  });

  test('the oldest position goes when there are more than 2,000', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await fakeReceiver(phone);
    await page.goto(await driverLink(client, id, service.origin));
    const all = Array.from({ length: 2_001 }, (_, index) => 45 + index / 10_000);
    await drive(
      page,
      all.map((lat, index) => [(2_001 - index) * minute, lat]),
    );
    await vi.waitFor(async () => expect(await latitudesOf(client, tracking_number)).toEqual(all.slice(1)), waitTimeout);
  });

  test('each of two loads that share the location gets every position', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const [one, two, other] = [await inTransit({ client }), await inTransit({ client }), await inTransit({ client })];
    await fakeReceiver(phone);
    for (const { id, tracking_number } of [other, one, two]) {
      await page.goto(await driverLink(client, id, service.origin));
      await page.locator('header').getByText(tracking_number).waitFor();
      if (id === one.id) await share(page);
    }
    await drive(page, [
      [minute, 45.1],
      [0, 45.2],
    ]);
    for (const { tracking_number } of [one, two])
      await vi.waitFor(
        async () => expect(await latitudesOf(client, tracking_number)).toEqual([45.1, 45.2]),
        waitTimeout,
      );
    expect(await latitudesOf(client, other.tracking_number)).toEqual([]);
  });

  test('a double tap takes one step, which can be undone until it is sent', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id, tracking_number } = await shipmentIn({ client }, 'dispatched');
    await page.goto(await driverLink(client, id, service.origin));
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
    await takeStep(page, 'Picked up');
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).timeline.map(({ status }) => status)).toEqual([
      'scheduled',
      'dispatched',
      'picked_up',
    ]);
  });

  test('a step that is held when the page closes is sent when it opens again', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const { id, tracking_number } = await shipmentIn({ client }, 'dispatched');
    await page.goto(await driverLink(client, id, service.origin));
    await tap(page, 'Picked up');
    await sync(page, 'Not sent · 1 wait');
    await page.close();
    const later = await phone.newPage();
    await later.goto(`${service.origin}/d/`);
    await later.getByRole('button', { name: 'Undo' }).waitFor();
    await later.clock.fastForward(5_000);
    await sync(later, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('picked_up');
  });

  test('a tap on a button that another one has replaced is ignored for a second', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id, tracking_number } = await newFreight(client);
    await page.goto(await driverLink(client, id, service.origin));
    await nextButton(page).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await page.evaluate(`dispatchEvent(new Event('online'))`); // reads the shipment
    const changed = nextButton(page).filter({ hasText: 'Picked up' });
    for (const later of [0, 900]) {
      await page.clock.fastForward(later);
      await changed.click();
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    }
    await page.clock.fastForward(100);
    await changed.click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  });

  test('Back closes a form, and its draft survives a reload until it is sent', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await page.goto(await driverLink(client, id, service.origin));
    await openForm(page, 'Something is wrong');
    await page.getByLabel('Freight is damaged').check();
    await page.getByLabel('Details').fill('Two pallets are wet');
    await takePhotos(page, 1);
    await page.goBack();
    await page
      .getByRole('heading', { name: /Deliver|310 Mill Lane|./ })
      .first()
      .waitFor();
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
    await report(page);
    await sync(page, 'All sent');
    await openForm(page, 'Something is wrong');
    expect(await page.getByLabel('Details').inputValue()).toBe('');
    await page.goBack();
    await openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await takeStep(page, 'Delivered');
    await sync(page, 'All sent');
    const { exceptions = [] } = await client.getTracking({ tracking_number });
    expect(exceptions).toMatchObject([{ code: 'damaged', description: 'Two pallets are wet', photo_count: 1 }]);
    const proof = await client.getProofOfDelivery({ tracking_number });
    expect([proof.signed_by, proof.photos.length]).toEqual(['R. Alvarez', 2]);
    const signature = await (await client.getProofFile({ url: proof.signature_url ?? '' })).arrayBuffer();
    expect(signature.byteLength).toBeGreaterThan(1_000);
  });

  test('a form that is submitted does not open again, also when the page is loaded before it has closed', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await page.goto(await driverLink(client, id, service.origin));
    await openForm(page, 'Something is wrong');
    const entry = await page.evaluate<unknown>('history.state');
    await page.getByLabel('Delayed by traffic').check();
    await tap(page, 'Report');
    await page.locator('.steps').waitFor();
    await page.evaluate((state) => history.replaceState(state, ''), entry); // what the page has done when it closes
    await page.reload();
    await page.locator('.steps').or(page.locator('form.sheet')).first().waitFor();
    await page.clock.fastForward(5_000);
    await sync(page, 'All sent');
    expect(await page.locator('form.sheet').count()).toBe(0);
    await openForm(page, 'Deliver with signature');
    await page.getByRole('heading', { name: 'Proof of delivery' }).waitFor();
    expect((await client.getTracking({ tracking_number })).exceptions).toHaveLength(1);
  });

  test('Undo opens the form of a delivery again as it was', async ({ service, account: { client }, page }) => {
    const { id, tracking_number } = await inTransit({ client });
    await page.goto(await driverLink(client, id, service.origin));
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person').fill('R. Alvarez');
    await sign(page);
    await page.getByText('Still missing').waitFor({ state: 'detached' });
    await tap(page, 'Delivered');
    await tap(page, 'Undo');
    const name = page.getByLabel('Name of the person');
    await name.waitFor();
    expect(await name.inputValue()).toBe('R. Alvarez');
    expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
    await name.fill('R. Alvarez-Ruiz');
    await takeStep(page, 'Delivered');
    await sync(page, 'All sent');
    expect((await client.getProofOfDelivery({ tracking_number })).signed_by).toBe('R. Alvarez-Ruiz');
  });

  test('a signature is missing again after Clear, and after the box "Nobody signs" was ticked', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id } = await inTransit({ client });
    await page.goto(await driverLink(client, id, service.origin));
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person').fill('R. Alvarez');
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
    await draftsStored(page);
    await page.reload();
    await missing.waitFor();
    expect(await page.getByRole('button', { name: 'Delivered' }).isDisabled()).toBe(true);
  });

  test.for(['denied', 'silent', 'zero'])(
    'a proof goes without a location when the phone has none (%s)',
    async (how, { service, account: { client }, phone, page }) => {
      const { id, tracking_number } = await inTransit({ client });
      if (how === 'denied') await phone.clearPermissions();
      if (how === 'silent') await phone.addInitScript('navigator.geolocation.getCurrentPosition = () => {}');
      if (how === 'zero') await phone.setGeolocation({ latitude: 0, longitude: 0 });
      await page.goto(await driverLink(client, id, service.origin));
      await openForm(page, 'Deliver with signature');
      if (how === 'silent') await page.clock.fastForward(10_000);
      await page.getByText('The proof will be sent without it').waitFor();
      await deliver(page, 'R. Alvarez');
      await sync(page, 'All sent');
      const proof = await client.getProofOfDelivery({ tracking_number });
      expect(proof.signed_by).toBe('R. Alvarez');
      expect(proof.location).toBeUndefined();
    },
  );

  test('a link that does not work, or may only read, does not replace one that works', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id: shipment_id, tracking_number } = await newFreight(client);
    const link = await driverLink(client, shipment_id, service.origin);
    await page.goto(link);
    await sync(page, 'All sent');
    await follow(page, link.replace(/.{5}\/ship/, 'aaaaa/ship'));
    await page.getByText('The link that you opened last does not work here').waitFor();
    await takeStep(page, 'I take this shipment');
    await sync(page, 'All sent');
    const scopes: ['shipments:read', 'tracking:read'] = ['shipments:read', 'tracking:read'];
    const { token } = await client.createAccess({ shipment_id, scopes });
    await follow(page, `${service.origin}/d/#${token}/${shipment_id}`);
    await takeStep(page, 'Picked up');
    await page.getByText('The link that you opened last does not work here').waitFor();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('picked_up');
  });

  test('what waits for an ended link survives another link, and can be discarded', async ({
    service,
    account: { client },
    phone,
    page,
  }) => {
    const [shipment, other] = [await newFreight(client), await newFreight(client)];
    const link = await driverLink(client, shipment.id, service.origin);
    await page.goto(link);
    await sync(page, 'All sent');
    await phone.setOffline(true);
    for (const name of ['I take this shipment', 'Picked up']) await takeStep(page, name);
    await revoke(client, shipment.id, link, service.baseUrl);
    await phone.setOffline(false);
    await page.getByText('2 entries wait on this phone').waitFor();
    await page.goto(await driverLink(client, other.id, service.origin));
    await page.locator('header').getByText(other.tracking_number).waitFor();
    await sync(page, 'Not sent · 2 wait');
    await show(page, shipment);
    page.on('dialog', (dialog) => void dialog.accept());
    for (const left of ['Not sent · 1 wait', 'All sent']) {
      await tap(page, 'Discard');
      await sync(page, left);
    }
    await show(page, other);
    await nextButton(page).waitFor();
    expect(await page.getByRole('button', { name: shipment.tracking_number }).count()).toBe(0);
  });

  test('a late refusal of an old token leaves the new link open', async ({ service, account: { client }, page }) => {
    const { id, tracking_number } = await newFreight(client);
    const [old, link] = [await driverLink(client, id, service.origin), await driverLink(client, id, service.origin)];
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
    await follow(page, link);
    await nextButton(page).waitFor();
    held.release();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('dispatched');
    await nextButton(page).filter({ hasText: 'Picked up' }).waitFor();
  });

  test('a status that is read late does not replace a newer one', async ({ service, account: { client }, page }) => {
    const { id, tracking_number } = await newFreight(client);
    await page.goto(await driverLink(client, id, service.origin));
    await sync(page, 'All sent');
    // The page stores the notes and the status of a reading together: once it shows these notes, it has both.
    await client.updateShipment({ shipment_id: id, notes: 'Dock 7.' });
    const held = holdPoint();
    await page.route(
      `**/tracking/${tracking_number}`,
      async (route) => {
        const response = await route.fetch();
        await held.pass();
        return route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.evaluate(`dispatchEvent(new Event('online'))`); // reads the shipment
    await held.reached;
    await takeStep(page, 'I take this shipment');
    await sync(page, 'All sent');
    held.release();
    await page.getByText('Dock 7.').waitFor();
    expect(await nextButton(page).textContent()).toBe('Picked up');
  });

  test.for([
    ['another time', 1, 'R. Alvarez'],
    ['another name', 0, 'Owen Castillo'],
  ] as const)(
    'a delivery that the dispatcher records meanwhile with %s is not that of the driver',
    async ([, earlier, signed_by], { service, account: { client }, page }) => {
      const { id, tracking_number } = await inTransit({ client });
      await page.goto(await driverLink(client, id, service.origin));
      await page.route(
        '**/pod',
        async (route) => {
          const proof = await proofFor({ client }, tracking_number);
          const { delivered_at } = route.request().postDataJSON();
          const delivered = new Date(Date.parse(delivered_at) - earlier);
          await client.submitProofOfDelivery({ tracking_number, ...proof, delivered_at: delivered, signed_by });
          return route.continue();
        },
        { times: 1 },
      );
      await openForm(page, 'Deliver with signature');
      await deliver(page, 'R. Alvarez');
      const known = page.locator('.sync').filter({ hasText: /^Needs you|^All sent/ });
      await known.waitFor();
      expect(await known.textContent()).toBe('Needs you · 1 wait');
      expect(await page.getByRole('alert').textContent()).toContain('somebody else recorded another step');
    },
  );

  test('nothing but its time ends the pause that the service asks for', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id } = await newFreight(client);
    await page.goto(await driverLink(client, id, service.origin));
    const refused = await fail(page, '/events', 429, { 'Retry-After': '600' }, 'rate_limited');
    await takeStep(page, 'I take this shipment');
    await vi.waitFor(() => expect(refused.count).toBe(1), waitTimeout);
    await sync(page, 'Not sent · 1 wait');
    const read = page.waitForResponse((response) => response.url().includes('/shipments/'));
    await page.evaluate(`dispatchEvent(new Event('online'))`); // wakes the sender, and then reads the shipment
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
  ] as const)('photos that %s stops do not just wait', async ([code, text], { service, account: { client }, page }) => {
    const { id, tracking_number } = await inTransit({ client });
    await page.goto(await driverLink(client, id, service.origin));
    await fail(page, '/uploads', 429, { 'Retry-After': '3600' }, code);
    await openForm(page, 'Something is wrong');
    await page.getByLabel('Freight is damaged').check();
    await takePhotos(page, 1);
    await report(page);
    await page.getByText(text).waitFor();
    await sync(page, 'Needs you · 1 wait');
    await page.unroute('**/uploads');
    await tap(page, 'Send again'); // the dispatcher has made room
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).exceptions).toMatchObject([{ photo_count: 1 }]);
  });

  test('damage that is found after the delivery is reported with its photos', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id, tracking_number } = await shipmentIn({ client }, 'delivered');
    await page.goto(await driverLink(client, id, service.origin));
    await openForm(page, 'Something is wrong');
    await page.getByLabel('Freight is damaged').check();
    await takePhotos(page, 2);
    await report(page);
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).exceptions).toMatchObject([
      { code: 'damaged', shipment_status: 'delivered', photo_count: 2 },
    ]);
  });

  test('what the service does not accept can be changed, and other reports do not wait for it', async ({
    service,
    account: { client },
    page,
  }) => {
    const { id, tracking_number } = await inTransit({ client });
    await page.route('**/exceptions', (route) => {
      if (!route.request().postData()?.includes('bad text')) return route.fallback();
      const errors = [{ in: 'body', pointer: '/description', code: 'invalid_format', detail: 'x' }];
      return refuse(route, { ...{ status: 400, code: 'invalid_request' }, errors } as never);
    });
    await page.goto(await driverLink(client, id, service.origin));
    await openForm(page, 'Something is wrong');
    await page.getByLabel('Freight is damaged').check();
    await page.getByLabel('Details').fill('bad text');
    await report(page);
    await page.getByText('Something that you entered was not accepted').waitFor();
    await openForm(page, 'Nobody here');
    await report(page);
    await sync(page, 'Needs you · 1 wait');
    await tap(page, 'Change');
    await page.getByLabel('Details').fill('good text');
    await report(page);
    await sync(page, 'All sent');
    const { exceptions = [] } = await client.getTracking({ tracking_number });
    expect(exceptions.map(({ code, description }) => [code, description]).sort()).toEqual([
      ['damaged', 'good text'],
      ['nobody_there', undefined],
    ]);
  });

  test('appointments are in the time zone of the place', async ({ service, account: { client }, page }) => {
    const { id } = await shipmentIn({ client }, 'scheduled', {
      origin: { address: '1 Wynkoop Street', city: 'Denver', state: 'CO', zip: '80202' },
      pickup_window: { start: '2031-06-02T14:00:00Z', end: '2031-06-02T15:00:00Z' },
      destination: { address: '5 State Street', city: 'Albany', state: 'NY', zip: '12207' },
      delivery_window: { start: '2031-06-05T14:00:00Z', end: '2031-06-05T15:00:00Z' },
    });
    await page.goto(await driverLink(client, id, service.origin));
    await page.getByText('8:00 – 9:00 AM').waitFor();
    await page.getByText('Times are local times of Denver, CO.').waitFor();
    for (const name of ['I take this shipment', 'Picked up']) await takeStep(page, name);
    await page.getByRole('heading', { name: '5 State Street' }).waitFor();
    const when = await page.locator('.when').textContent();
    expect(when).toContain('10:00 – 11:00 AM');
    expect(when).toContain('Times are local times of Albany, NY.');
  });

  test('a new service worker replaces the stored files of the old one', async ({ service, phone, page }) => {
    const files = driverFiles(service.baseUrl);
    await using relay = await startRelay(() => service.origin, { files });
    await page.goto(`${relay.origin}/d/`);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const names = (): Promise<string[]> => page.evaluate<string[]>('caches.keys()');
    const [old] = await names();
    const worker = files['/d/worker.js'];
    if (worker) worker.body = worker.body.replace(/const version="[^"]*"/, 'const version="next"');
    await page.evaluate('navigator.serviceWorker.getRegistration().then((registration) => registration.update())');
    await vi.waitFor(async () => expect(await names()).toEqual(['waybill-driver-next']), waitTimeout);
    expect(old).not.toBe('waybill-driver-next');
    await phone.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'No shipment' }).waitFor();
  });
});
