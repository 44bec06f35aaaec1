import { createClient } from '@waybill/client';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { isLong } from '../fixtures/long-form.ts';
import { inTransit, proofFor, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, notIsolated, overflowOf } from './browser.ts';
import {
  deliver,
  driverLink,
  newFreight,
  nextButton,
  openForm,
  report,
  startRelay,
  sync,
  takePhotos,
  takeStep,
  tap,
  test,
} from './driver.ts';

/** Waits until the service refuses a token, which it may know for half a second after its end. */
const refuses = (baseUrl: string, accessToken: string, shipment_id: string): Promise<void> =>
  vi.waitFor(
    () =>
      expect(createClient({ baseUrl, accessToken }).getShipment({ shipment_id })).rejects.toMatchObject({
        status: 401,
      }),
    waitTimeout,
  );

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('what people write has no effect on the text around it, and the link dials the extension', async ({
    account: { client },
    service: { origin },
    page,
  }) => {
    const text = 'שלום';
    const address = { ...shipmentRequest().origin, address: text, city: text, contact_name: text };
    const contact_phone = '(503) 555-0142 ext. 12';
    const create = () =>
      client.createShipment({
        ...shipmentRequest(),
        origin: { ...address, contact_phone },
        destination: address,
        notes: text,
      });
    for (const { id } of [await create(), await create()]) {
      await page.goto(await driverLink(client, id, origin));
      await page.getByRole('heading', { name: text }).waitFor();
    }
    const call = page.locator('a[href^="tel:"]');
    expect(await call.getAttribute('href')).toBe('tel:5035550142;ext=12');
    await vi.waitFor(
      async () => expect(await page.locator('bdi', { hasText: text }).count()).toBeGreaterThan(3),
      waitTimeout,
    );
    expect(await notIsolated(page, text)).toEqual([]);
  });

  test('a driver takes a shipment, reports a delay and delivers it', async ({
    account: { client },
    service: { origin },
    page,
  }) => {
    const shipment = await newFreight(client);
    const { tracking_number } = shipment;
    await page.goto(await driverLink(client, shipment.id, origin));
    await page.getByRole('heading', { name: '9 Quarry Road' }).waitFor();
    expect(page.url()).toBe(`${origin}/d/`); // the token is in no history
    await sync(page, 'All sent');

    for (const name of ['I take this shipment', 'Picked up', 'On the way']) await takeStep(page, name);
    await page.getByRole('heading', { name: '310 Mill Lane' }).waitFor();
    expect(await page.getByRole('link', { name: 'Call Dana' }).getAttribute('href')).toBe('tel:+15035550142');
    expect(await page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toContain('310%20Mill%20Lane');
    await page.getByLabel('Share my location').check();

    await openForm(page, 'Something is wrong');
    await page.getByLabel('Delayed by traffic').check();
    await page.getByLabel('Details').fill('Bridge closed');
    await takePhotos(page, 2);
    await report(page);

    await openForm(page, 'Deliver with signature');
    await deliver(page, 'R. Alvarez');
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await sync(page, 'All sent');

    const { timeline, exceptions = [] } = await client.getTracking({ tracking_number });
    expect(timeline.map(({ status }) => status)).toEqual([
      'scheduled',
      'dispatched',
      'picked_up',
      'in_transit',
      'delivered',
    ]);
    expect(exceptions).toMatchObject([{ code: 'traffic_delay', description: 'Bridge closed', photo_count: 2 }]);
    const proof = await client.getProofOfDelivery({ tracking_number });
    expect(proof).toMatchObject({ signed_by: 'R. Alvarez', location: { lat: 45.52, lng: -122.67 } });
    expect((await client.listPositions({ tracking_number })).data).toMatchObject([{ lat: 45.52, lng: -122.67 }]);
    expect(proof.photos).toHaveLength(1);
    const photo = Buffer.from(await (await client.getProofFile({ url: proof.photos[0] ?? '' })).arrayBuffer());
    const size = await page.evaluate<number[]>(`(async () => {
        const bytes = Uint8Array.from(atob('${photo.toString('base64')}'), (char) => char.charCodeAt(0));
        const { width, height } = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
        return [width, height];
      })()`);
    expect(size).toEqual([1600, 1200]);
  });

  test('without a network, the page opens, collects actions with their times, and sends them later', async ({
    account: { client },
    service: { origin },
    phone,
    page,
  }) => {
    const shipment = await newFreight(client);
    const { tracking_number } = shipment;
    let isCut = false; // a new page of a browser that is offline has a network for a moment
    await using relay = await startRelay(() => origin, {
      wayOf: async () => (isCut ? 'lost request' : 'pass'),
    });
    await page.goto(await driverLink(client, shipment.id, relay.origin));
    await sync(page, 'All sent');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    isCut = true;
    await phone.setOffline(true);
    await sync(page, 'Offline');
    for (const name of ['I take this shipment', 'Picked up']) await takeStep(page, name);
    await sync(page, 'Offline · 2 wait');
    const before = await page.evaluate<number>('Date.now()');
    await page.reload();
    await sync(page, 'Offline · 2 wait');
    await openForm(page, 'Nobody here');
    await report(page);
    await sync(page, 'Offline · 3 wait');
    await page.close();
    const later = await phone.newPage();
    await later.goto(`${relay.origin}/d/`);
    await sync(later, 'Offline · 3 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('scheduled');
    isCut = false;
    await phone.setOffline(false);
    await sync(later, 'All sent');
    const { timeline, exceptions } = await client.getTracking({ tracking_number });
    expect(timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
    expect(Date.parse(timeline.at(-1)?.timestamp ?? '')).toBeLessThan(before);
    expect(exceptions).toMatchObject([{ code: 'nobody_there', shipment_status: 'picked_up' }]);
  });

  test('a step that the service refuses waits for the driver, who can discard it', async ({
    account: { client },
    service: { origin },
    phone,
    page,
  }) => {
    const shipment = await newFreight(client);
    await page.goto(await driverLink(client, shipment.id, origin));
    await nextButton(page).waitFor();
    await phone.setOffline(true);
    await takeStep(page, 'I take this shipment');
    await takeStep(page, 'Picked up');
    await client.cancelShipment({ shipment_id: shipment.id, reason: 'The order was withdrawn.' });
    await phone.setOffline(false);
    await page.getByText('somebody else recorded another step').waitFor();
    await sync(page, 'Needs you · 2 wait');
    page.on('dialog', (dialog) => void dialog.accept());
    await tap(page, 'Discard');
    await sync(page, 'Needs you · 1 wait');
    await tap(page, 'Discard');
    await page.getByText('This shipment was cancelled.').waitFor();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number: shipment.tracking_number })).timeline).toHaveLength(2);
  });

  test('a step that the dispatcher has recorded meanwhile is not sent twice', async ({
    account: { client },
    service: { origin },
    phone,
    page,
  }) => {
    const shipment = await newFreight(client);
    const { tracking_number } = shipment;
    await page.goto(await driverLink(client, shipment.id, origin));
    await nextButton(page).waitFor();
    await phone.setOffline(true);
    await takeStep(page, 'I take this shipment');
    await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await phone.setOffline(false);
    await page.getByRole('button', { name: 'Picked up' }).waitFor();
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).timeline).toHaveLength(2);
  });

  test('a new link sends what waited for a revoked one', async ({
    account: { client },
    service: { origin, baseUrl },
    phone,
    page,
  }) => {
    const shipment = await newFreight(client);
    const link = await driverLink(client, shipment.id, origin);
    const token = /wba_[^/]+/.exec(link)?.[0] ?? '';
    await page.goto(link);
    await nextButton(page).waitFor();
    await phone.setOffline(true);
    await takeStep(page, 'I take this shipment');
    const { data } = await client.listAccesses({ shipment_id: shipment.id });
    for (const { id } of data) await client.deleteAccess({ shipment_id: shipment.id, access_id: id });
    await refuses(baseUrl, token, shipment.id);
    await phone.setOffline(false);
    await page.getByText('1 entry waits on this phone').waitFor();
    const { hash } = new URL(await driverLink(client, shipment.id, origin));
    await page.evaluate(`location.hash = '${hash}'`);
    await page.getByRole('button', { name: 'Picked up' }).waitFor();
    await sync(page, 'All sent');
  });

  test('two tabs send each step once', async ({ account: { client }, service: { origin }, phone }) => {
    const shipment = await newFreight(client);
    const link = await driverLink(client, shipment.id, origin);
    const [page, other] = [await phone.newPage(), await phone.newPage()];
    for (const tab of [page, other]) {
      await tab.goto(link);
      await sync(tab, 'All sent');
    }
    await phone.setOffline(true);
    await takeStep(page, 'I take this shipment');
    await sync(other, 'Offline · 1 wait');
    await takeStep(other, 'Picked up');
    await sync(page, 'Offline · 2 wait');
    await phone.setOffline(false);
    for (const tab of [page, other]) await sync(tab, 'All sent');
    const { timeline } = await client.getTracking({ tracking_number: shipment.tracking_number });
    expect(timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  });

  test('a driver leaves the freight with a photo, unless the shipper requires a signature', async ({
    account: { client },
    service: { origin },
    page,
  }) => {
    const shipment = await inTransit({ client });
    await page.goto(await driverLink(client, shipment.id, origin));
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Nobody signs').check();
    await page.getByText('Still missing: Photo 1').waitFor();
    await takePhotos(page, 1);
    await takeStep(page, 'Delivered');
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await sync(page, 'All sent');
    const proof = await client.getProofOfDelivery({ tracking_number: shipment.tracking_number });
    expect(proof).toMatchObject({ unattended: true, photos: [expect.any(String)] });

    const other = await shipmentIn({ client }, 'in_transit', { signature_required: true });
    await page.goto(await driverLink(client, other.id, origin));
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person who signs').waitFor();
    expect(await page.getByLabel('Nobody signs').count()).toBe(0);
  });

  test.for([12, -12, 60])(
    'a phone whose clock is %i minutes off sends the time of the service',
    async (minutes, { account: { client }, service: { origin }, page }) => {
      const shipment = await newFreight(client);
      await page.clock.install({ time: Date.now() + minutes * 60_000 });
      await page.goto(await driverLink(client, shipment.id, origin));
      await takeStep(page, 'I take this shipment');
      await sync(page, 'All sent');
      const { timeline } = await client.getTracking({ tracking_number: shipment.tracking_number });
      const taken = Date.parse(timeline[1]?.timestamp ?? '');
      expect(Math.abs(taken - Date.now())).toBeLessThan(60_000);
    },
  );

  test('a step whose time is refused is sent again with the time of the service', async ({
    account: { client },
    service: { origin },
    page,
  }) => {
    const { id, tracking_number } = await newFreight(client);
    await page.clock.install({ time: Date.now() + 12 * 60_000 });
    await page.goto(await driverLink(client, id, origin));
    await page.route('**/events', (route) => {
      const problem = { type: 'x', title: 'x', status: 400, code: 'invalid_request', detail: 'x', instance: 'x' };
      const errors = [{ in: 'body', pointer: '/timestamp', code: 'too_far_ahead', detail: 'x' }];
      const body = JSON.stringify({ ...problem, request_id: 'x', errors });
      return route.fulfill({ status: 400, contentType: 'application/problem+json', body });
    });
    await takeStep(page, 'I take this shipment');
    await sync(page, 'Needs you · 1 wait');
    await page.unroute('**/events');
    await tap(page, 'Send with the present time');
    await sync(page, 'All sent');
    const { timeline } = await client.getTracking({ tracking_number });
    expect(Math.abs(Date.parse(timeline[1]?.timestamp ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('an expired link says so', async ({ account: { client }, service: { origin, baseUrl }, page }) => {
    const { id: shipment_id } = await newFreight(client);
    const expires_at = new Date(Date.now() + 1_000);
    const { token } = await client.createAccess({
      shipment_id,
      scopes: ['shipments:read', 'tracking:read'],
      expires_at,
    });
    await refuses(baseUrl, token, shipment_id);
    await page.goto(`${origin}/d/#${token}/${shipment_id}`);
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
  });

  test('a driver asks for the handover code, and the page for another one when it was wrong', async ({
    account: { client },
    service: { origin },
    phone,
    page,
  }) => {
    const shipment = await shipmentIn({ client }, 'in_transit', { handover_code: '90817263' });
    const { id: shipment_id, tracking_number } = shipment;
    const bodies: string[] = [];
    page.on(
      'response',
      (response) =>
        void response.text().then(
          (text) => bodies.push(text),
          () => {},
        ),
    );
    await page.goto(await driverLink(client, shipment_id, origin));
    await openForm(page, 'Deliver with signature');
    await page.getByText('Still missing: Code of the recipient').waitFor();
    await page.getByLabel('Code of the recipient').fill('48');
    expect(await page.getByText('Still missing: Code of the recipient').count()).toBe(1);
    await page.getByLabel('Code of the recipient').fill('1111');
    await phone.setOffline(true);
    await deliver(page, 'R. Alvarez');
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await phone.setOffline(false);
    await page.getByText('The code was wrong.').waitFor();
    await sync(page, 'Needs you · 1 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
    const again = page.getByRole('button', { name: 'Send again' });
    expect(await again.isDisabled()).toBe(true);
    // A reload keeps the proof.
    await page.reload();
    await page.getByLabel('Code of the recipient').fill('2222');
    await tap(page, 'Send again');
    await vi.waitFor(
      async () => expect(await page.getByLabel('Code of the recipient').inputValue()).toBe(''),
      waitTimeout,
    );
    await page.getByLabel('Code of the recipient').fill('90817263');
    await tap(page, 'Send again');
    await sync(page, 'All sent');
    const proof = await client.getProofOfDelivery({ tracking_number });
    expect([proof.signed_by, proof.photos.length]).toEqual(['R. Alvarez', 1]);
    expect(bodies.join()).toContain('handover_code_required');
    expect(bodies.join()).not.toContain('90817263');
  });

  test('a code that the shipper sets meanwhile is asked for, and a locked one waits for another', async ({
    account: { client },
    service: { origin },
    phone,
    page,
  }) => {
    const shipment = await inTransit({ client });
    const { id: shipment_id, tracking_number } = shipment;
    await page.goto(await driverLink(client, shipment_id, origin));
    await openForm(page, 'Deliver with signature');
    await phone.setOffline(true);
    await client.updateShipment({ shipment_id, handover_code: '4821' });
    await deliver(page, 'R. Alvarez');
    await phone.setOffline(false);
    await page.getByText('The recipient has a code for this delivery.').waitFor();
    const proof = await proofFor({ client }, tracking_number);
    for (const handover_code of ['1111', '2222', '3333', '4444', '5555']) {
      const submit = client.submitProofOfDelivery({ tracking_number, ...proof, handover_code });
      await expect(submit).rejects.toMatchObject({ code: 'handover_code_wrong' });
    }
    await page.getByLabel('Code of the recipient').fill('4821');
    await tap(page, 'Send again');
    await page.getByText('Too many wrong codes.').waitFor();
    await client.updateShipment({ shipment_id, handover_code: '97531' });
    await page.getByLabel('Code of the recipient').fill('97531');
    await tap(page, 'Send again');
    await sync(page, 'All sent');
    expect((await client.getTracking({ tracking_number })).status).toBe('delivered');
  });

  test.for(['de', ...(isLong ? ['es', 'fr', 'pt', 'zh'] : [])])(
    'the page fits a narrow phone in the language %s',
    async (locale, { service, account, browser }) => {
      const shipment = await inTransit(account);
      const context = await browser.newContext({ locale, viewport: { width: 320, height: 640 } });
      const page = await context.newPage();
      await page.goto(await driverLink(account.client, shipment.id, service.origin));
      await nextButton(page).waitFor();
      expect(await page.evaluate<string>('document.documentElement.lang')).toContain(locale);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await nextButton(page).click();
      await page.locator('canvas').waitFor();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await context.close();
    },
  );

  test('a page that is drawn while the driver shares the location does not undo the check', async ({
    service,
    account,
    page,
  }) => {
    const { id } = await inTransit(account);
    await page.goto(await driverLink(account.client, id, service.origin));
    const box = page.getByLabel('Share my location');
    await box.waitFor();
    await page.evaluate(`(() => {
      const box = document.querySelector('.share input');
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'checked');
      window.drawn = [];
      Object.defineProperty(box, 'checked', { get, set(value) { drawn.push(value); set.call(this, value); } });
      dispatchEvent(new Event('offline')); // begins to draw
      box.click();
    })()`);
    await openForm(page, 'Something is wrong'); // drawn after the check
    await page.getByLabel('Delayed by traffic').waitFor();
    expect(await page.evaluate('window.drawn')).not.toContain(false);
    await page.goBack();
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  test('each state is accessible and fits, light and dark', async ({
    account: { client },
    service: { origin },
    phone,
    page,
  }) => {
    const shipment = await newFreight(client);
    const { id: shipment_id, tracking_number } = shipment;
    const check = (name: string) => expectAccessible(page, name);
    const link = await driverLink(client, shipment.id, origin);
    await page.goto(`${origin}/d/`);
    await page.getByRole('heading', { name: 'No shipment' }).waitFor();
    await check('none');
    await page.goto(`${link.replace(/.{5}\/ship/, 'aaaaa/ship')}`);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await check('unknown');
    await page.goto(link);
    await page.getByRole('heading', { name: '9 Quarry Road' }).waitFor();
    await check('scheduled');
    for (const status of ['dispatched', 'picked_up', 'in_transit'] as const)
      await client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
    await page.reload();
    await page.getByRole('heading', { name: '310 Mill Lane' }).waitFor();
    await check('in-transit');
    await phone.setOffline(true);
    await openForm(page, 'Something is wrong');
    await check('wrong');
    await page.getByLabel('Freight is damaged').check();
    await takePhotos(page, 2);
    await report(page);
    await sync(page, 'Offline · 1 wait');
    await check('waiting');
    await openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await check('proof');
    await deliver(page, 'R. Alvarez');
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await check('delivered-waiting');
    await phone.setOffline(false);
    await sync(page, 'All sent');
    await check('delivered');
    const second = await newFreight(client);
    await phone.setOffline(true);
    const { hash } = new URL(await driverLink(client, second.id, origin));
    await page.evaluate(`location.hash = '${hash}'`);
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await check('offline');
    await client.cancelShipment({ shipment_id: second.id, reason: 'The order was withdrawn.' });
    await phone.setOffline(false);
    await page.getByText('This shipment was cancelled.').waitFor();
    await check('cancelled');
    expect(shipment_id).not.toBe(second.id);
  });
});
