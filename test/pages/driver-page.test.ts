import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { isLong } from '../fixtures/long-form.ts';
import { proofFor } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, notIsolated, overflowOf } from './browser.ts';
import {
  chooseWrong,
  deliver,
  follow,
  installed,
  newFreight,
  nextButton,
  openForm,
  refuses,
  startRelay,
  sync,
  takePhotos,
  takeStep,
  tap,
  test,
} from './driver.ts';

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('what people write has no effect on the text around it', async ({ open, page }) => {
    const text = 'שלום';
    const address = { address: text, city: text, state: 'WA', zip: '98402', contact_name: text };
    const origin = { ...address, contact_phone: '(503) 555-0142 ext. 12' };
    for (const destination of [address, address]) await open('scheduled', { origin, destination, notes: text });
    const isolated = page.locator('bdi', { hasText: text });
    await vi.waitFor(async () => expect(await isolated.count()).toBeGreaterThan(3), waitTimeout);
    expect(await notIsolated(page, text)).toEqual([]);
    expect(await page.locator('a[href^="tel:"]').getAttribute('href')).toBe('tel:5035550142;ext=12');
  });

  test('a driver reports a delay, delivers, and then reports damage', async ({ client, service, open, page }) => {
    const { tracking_number } = await open('scheduled', {
      origin: { address: '1 Wynkoop Street', city: 'Denver', state: 'CO', zip: '80202' },
      pickup_window: { start: '2031-06-02T14:00:00Z', end: '2031-06-02T15:00:00Z' },
      delivery_window: { start: '2031-06-05T14:00:00Z', end: '2031-06-05T15:00:00Z' },
    });
    await page.getByRole('heading', { name: '1 Wynkoop Street' }).waitFor();
    await page.getByText('8:00 – 9:00 AM').waitFor();
    await page.getByText('Times are local times of Denver, CO.').waitFor();
    expect(page.url()).toBe(`${service.origin}/d/`); // the token is in no history
    await sync(page, 'All sent');
    await takeStep(page, 'I take this shipment', 'Picked up', 'On the way');
    await page.getByRole('heading', { name: '310 Mill Lane' }).waitFor();
    expect(await page.locator('.when').textContent()).toMatch(
      /7:00 – 8:00.AM.*Times are local times of Portland, OR\./,
    );
    expect(await page.getByRole('link', { name: 'Call Dana' }).getAttribute('href')).toBe('tel:+15035550142');
    expect(await page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toContain('310%20Mill%20Lane');
    await page.getByLabel('Share my location').check();
    await chooseWrong(page, 'Delayed by traffic', 'Bridge closed');
    await takePhotos(page, 2);
    await takeStep(page, 'Report');
    await deliver(page);
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await sync(page, 'All sent');
    await chooseWrong(page, 'Freight is damaged');
    await takePhotos(page, 1);
    await takeStep(page, 'Report');
    await sync(page, 'All sent');

    const { timeline, exceptions = [] } = await client.getTracking({ tracking_number });
    const statuses = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered'];
    expect(timeline.map(({ status }) => status)).toEqual(statuses);
    expect(exceptions).toMatchObject([
      { code: 'traffic_delay', description: 'Bridge closed', photo_count: 2 },
      { code: 'damaged', shipment_status: 'delivered', photo_count: 1 },
    ]);
    expect((await client.listPositions({ tracking_number })).data).toMatchObject([{ lat: 45.52, lng: -122.67 }]);
    const { photos, ...proof } = await client.getProofOfDelivery({ tracking_number });
    expect(proof).toMatchObject({ signed_by: 'R. Alvarez', location: { lat: 45.52, lng: -122.67 } });
    expect(photos).toHaveLength(1);
    const photo = Buffer.from(await (await client.getProofFile({ url: photos[0] ?? '' })).arrayBuffer());
    const size = await page.evaluate<number[]>(`(async () => {
      const bytes = Uint8Array.from(atob('${photo.toString('base64')}'), (char) => char.charCodeAt(0));
      const { width, height } = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      return [width, height];
    })()`);
    expect(size).toEqual([1600, 1200]);
  });

  test('without a network the page opens, and sends later', async ({ client, linkTo, phone, page, service }) => {
    const shipment = await newFreight(client);
    const { tracking_number } = shipment;
    let isCut = false; // a new page of a browser that is offline has a network for a moment
    await using relay = await startRelay(
      () => service.origin,
      () => (isCut ? 'lost request' : 'pass'),
    );
    await page.goto(await linkTo(shipment, relay.origin));
    await sync(page, 'All sent');
    await installed(page);
    isCut = true;
    await phone.setOffline(true);
    await sync(page, 'Offline');
    await takeStep(page, 'I take this shipment', 'Picked up');
    await sync(page, 'Offline · 2 wait');
    const before = await page.evaluate<number>('Date.now()');
    await page.reload();
    await sync(page, 'Offline · 2 wait');
    await openForm(page, 'Nobody here');
    await takeStep(page, 'Report');
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

  test('a recorded step is not sent twice, and a refused one waits', async ({ client, open, phone, page }) => {
    const { id: shipment_id, tracking_number } = await open();
    await phone.setOffline(true);
    await takeStep(page, 'I take this shipment');
    await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await phone.setOffline(false);
    await sync(page, 'All sent');
    await phone.setOffline(true);
    await takeStep(page, 'Picked up', 'On the way');
    await client.cancelShipment({ shipment_id, reason: 'The order was withdrawn.' });
    await phone.setOffline(false);
    await page.getByText('somebody else recorded another step').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    for (const count of [2, 1]) {
      await sync(page, `Needs you · ${count} wait`);
      await tap(page, 'Discard');
    }
    await page.getByText('This shipment was cancelled.').waitFor();
    await sync(page, 'All sent');
    const { timeline } = await client.getTracking({ tracking_number });
    expect(timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'cancelled']);
  });

  test('two tabs send each step once', async ({ client, open, linkTo, phone, page }) => {
    const shipment = await open();
    const { tracking_number } = shipment;
    const other = await phone.newPage();
    await other.goto(await linkTo(shipment));
    for (const tab of [page, other]) await sync(tab, 'All sent');
    await phone.setOffline(true);
    await takeStep(page, 'I take this shipment');
    await sync(other, 'Offline · 1 wait');
    await takeStep(other, 'Picked up');
    await sync(page, 'Offline · 2 wait');
    await phone.setOffline(false);
    for (const tab of [page, other]) await sync(tab, 'All sent');
    const { timeline } = await client.getTracking({ tracking_number });
    expect(timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  });

  test('a driver leaves the freight with a photo, unless a signature is required', async ({ client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Nobody signs').check();
    await page.getByText('Still missing: Photo 1').waitFor();
    await takePhotos(page, 1);
    await takeStep(page, 'Delivered');
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await sync(page, 'All sent');
    const proof = await client.getProofOfDelivery({ tracking_number });
    expect(proof).toMatchObject({ unattended: true, photos: [expect.any(String)] });
    await open('in_transit', { signature_required: true });
    await openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person who signs').waitFor();
    expect(await page.getByLabel('Nobody signs').count()).toBe(0);
  });

  test.for([12, -12, 60])(
    'a phone whose clock is %i minutes off sends the time of the service',
    async (minutes, { client, open, page }) => {
      await page.clock.install({ time: Date.now() + minutes * 60_000 });
      const { tracking_number } = await open();
      await takeStep(page, 'I take this shipment');
      await sync(page, 'All sent');
      const { timeline } = await client.getTracking({ tracking_number });
      expect(Math.abs(Date.parse(timeline[1]?.timestamp ?? '') - Date.now())).toBeLessThan(60_000);
    },
  );

  test('the page asks for the handover code, and again when it was wrong', async ({ client, open, phone, page }) => {
    const bodies: string[] = [];
    const keep = (body: string) => void bodies.push(body);
    page.on('response', (response) => void response.text().then(keep, () => {}));
    const { tracking_number } = await open('in_transit', { handover_code: '90817263' });
    const field = page.getByLabel('Code of the recipient');
    const missing = page.getByText('Still missing: Code of the recipient');
    await openForm(page, 'Deliver with signature');
    await missing.waitFor();
    await field.fill('48');
    expect(await missing.count()).toBe(1);
    await field.fill('1111');
    await phone.setOffline(true);
    await deliver(page);
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    await phone.setOffline(false);
    await page.getByText('The code was wrong.').waitFor();
    await sync(page, 'Needs you · 1 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
    await page.reload(); // keeps the proof
    await field.fill('2222');
    await tap(page, 'Send again');
    await vi.waitFor(async () => expect(await field.inputValue()).toBe(''), waitTimeout);
    await field.fill('90817263');
    await tap(page, 'Send again');
    await sync(page, 'All sent');
    expect(await client.getProofOfDelivery({ tracking_number })).toMatchObject({
      signed_by: 'R. Alvarez',
      photos: [/./],
    });
    expect(bodies.join()).toContain('handover_code_required');
    expect(bodies.join()).not.toContain('90817263');
  });

  test('a code that is set meanwhile is asked for, also after a lock', async ({ client, open, phone, page }) => {
    const { id: shipment_id, tracking_number } = await open('in_transit');
    await phone.setOffline(true);
    await client.updateShipment({ shipment_id, handover_code: '4821' });
    await deliver(page);
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
    'the page fits a narrow phone in %s',
    async (name, { open, page }) => {
      await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${name}'] })`);
      await page.setViewportSize({ width: 320, height: 640 });
      await open('in_transit');
      expect(await page.evaluate<string>('document.documentElement.lang')).toContain(name);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.clock.fastForward(1_000);
      await nextButton(page).click();
      await page.locator('canvas').waitFor();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    },
  );

  test('a page that is drawn while the driver shares the location does not undo the check', async ({ open, page }) => {
    await open('in_transit');
    const box = page.getByLabel('Share my location');
    await page.evaluate(`(() => {
      const box = document.querySelector('.share input');
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'checked');
      window.drawn = [];
      Object.defineProperty(box, 'checked', { get, set(value) { drawn.push(value); set.call(this, value); } });
      dispatchEvent(new Event('offline')); // begins to draw
      box.click();
    })()`);
    await chooseWrong(page, 'Delayed by traffic'); // drawn after the check
    expect(await page.evaluate('window.drawn')).not.toContain(false);
    await page.goBack();
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  test('each state is accessible and fits, light and dark', async ({ client, service, open, linkTo, phone, page }) => {
    const check = (name: string) => expectAccessible(page, name, [390]);
    const shown = async (heading: string) => {
      await page.getByRole('heading', { name: heading }).waitFor();
      await check(heading);
    };
    await page.goto(`${service.origin}/d/`);
    await shown('No shipment');
    const first = await newFreight(client);
    await page.goto((await linkTo(first)).replace(/.{5}\/ship/, 'aaaaa/ship'));
    await shown('This link does not work');
    const expires_at = new Date(Date.now() + 1_000);
    const { token, url = '' } = await client.createAccess({ shipment_id: first.id, kind: 'drive', expires_at });
    await refuses(service.baseUrl, token, first.id);
    await page.goto(url);
    await shown('This link has expired');
    const { tracking_number } = await open();
    await shown('9 Quarry Road');
    for (const status of ['dispatched', 'picked_up', 'in_transit'] as const)
      await client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
    await page.reload();
    await shown('310 Mill Lane');
    await phone.setOffline(true);
    await chooseWrong(page, 'Freight is damaged');
    await takePhotos(page, 2);
    await check('wrong');
    await takeStep(page, 'Report');
    await sync(page, 'Offline · 1 wait');
    await check('waiting');
    await openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await check('proof');
    await deliver(page);
    await shown('Delivered');
    await phone.setOffline(false);
    await sync(page, 'All sent');
    await shown('Delivered');
    const { id: shipment_id } = await newFreight(client);
    const link = await linkTo({ id: shipment_id });
    await phone.setOffline(true);
    await follow(page, link);
    await shown('No connection');
    await client.cancelShipment({ shipment_id, reason: 'The order was withdrawn.' });
    await phone.setOffline(false);
    await page.getByText('This shipment was cancelled.').waitFor();
    await check('cancelled');
  });
});
