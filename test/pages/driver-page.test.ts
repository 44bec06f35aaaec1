import { setDispatcherPhone } from '@waybill/server/auth/administration';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/programs/chromium.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { expectAccessible, untrusted } from './browser-context.ts';
import * as driver from './driver-on-phone.ts';
import { test } from './driver-on-phone.ts';

const hazmat = { id: 'UN1263', class: '3', packing_group: 'II', emergency_phone: '+1 800 555 0100' } as const;
const paint = { description: 'Paint', pieces: 1, weight: { value: 20, unit: 'lb' as const }, hazmat };

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('a driver delivers, on pages that are accessible', async ({ account, service, open, linkTo, phone, page }) => {
    const { client } = account;
    const check = (name: string) => expectAccessible(page, name, [390]);
    const shows = async (heading: string) => {
      await page.getByRole('heading', { name: heading }).waitFor();
      await check(heading);
    };
    await page.goto(`${service.origin}/d/`);
    await shows('No shipment');
    const { id: shipment_id } = await driver.newFreight(client);
    const plain = untrusted(await linkTo({ id: shipment_id }));
    await page.goto(plain);
    await shows('This page needs HTTPS');
    expect(page.url()).toBe(plain); // with the token, for whoever changes the scheme
    await page.goto((await linkTo({ id: shipment_id })).replace(/.{5}\/ship/, 'aaaaa/ship'));
    await shows('This link does not work');
    const expires_at = new Date(Date.now() + 1_000);
    const { token, url = '' } = await client.createAccess({ shipment_id, kind: 'drive', expires_at });
    await driver.refuses(service.baseUrl, token, shipment_id);
    await page.goto(url);
    await shows('This link has expired');

    await setDispatcherPhone(service.db, account.id, '+1 (206) 555-0100');
    const { id, tracking_number } = await open('scheduled', {
      origin: { company: 'Front Range Paints', address: '1 Wynkoop Street', city: 'Denver', state: 'CO', zip: '80202' },
      pickup_window: { start: '2031-06-02T14:00:00Z', end: '2031-06-02T15:00:00Z' },
      delivery_window: { start: '2031-06-05T14:00:00Z', end: '2031-06-05T14:00:00Z' }, // an appointment
      references: [{ type: 'appointment', value: 'A-20931' }],
      items: [driver.pallets, paint],
    });
    await shows('1 Wynkoop Street');
    await page.getByText('8:00 – 9:00 AM').waitFor();
    await page.getByText('Front Range Paints').waitFor();
    expect(await page.getByRole('link', { name: 'Call the dispatcher' }).getAttribute('href')).toBe('tel:+12065550100');
    await page.getByText('Hazardous goods: UN1263, 3, PG II').waitFor();
    expect(await page.getByRole('link', { name: '+1 800 555 0100' }).getAttribute('href')).toBe('tel:+18005550100');
    await page.getByText('3 pieces · 660 lb').click();
    await page.getByText('2 pieces · 640 lb').waitFor();
    await page.getByText('Times are local times of Denver, CO.').waitFor();
    expect(page.url()).toBe(`${service.origin}/d/`); // the token is in no history
    await driver.sync(page, 'All sent');
    await driver.takeStep(page, 'Take this shipment', 'Confirm pickup', 'Start the trip');
    await shows('310 Mill Lane');
    await page.getByText('Appointment A-20931').waitFor();
    expect(await page.locator('.when').textContent()).toMatch(
      /Deliver [^–]* 7:00.AM.*Times are local times of Portland, OR\./,
    );
    expect(await page.getByRole('link', { name: 'Call Dana' }).getAttribute('href')).toBe('tel:+15035550142');
    expect(await page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toContain('310%20Mill%20Lane');
    await driver.share(page);
    await driver.sync(page, 'All sent');
    await client.updateShipment({ shipment_id: id, destination: { address: '7 Ferry Street' } });
    await driver.wake(page);
    const changed = page.getByRole('alert').filter({ hasText: 'The address has changed' });
    await changed.getByText('7 Ferry Street').waitFor();
    expect(await page.locator('main > :first-child').textContent()).toMatch(/^The address has changed/);
    await check('address changed');
    await page.reload(); // the driver has not seen it
    await changed.waitFor();
    await driver.tap(page, 'I have seen it');
    await changed.waitFor({ state: 'detached' });
    await phone.setOffline(true);
    await driver.chooseWrong(page, 'Delayed by traffic', 'Bridge closed');
    expect(await page.getByRole('group').allTextContents()).toHaveLength(3);
    await driver.takePhotos(page, 2);
    await check('wrong');
    await driver.takeStep(page, 'Report');
    await driver.sync(page, 'Offline · 1 wait');
    await check('waiting');
    await driver.openForm(page, 'Deliver with signature');
    await page.getByText('Location found').waitFor();
    await check('proof');
    await driver.deliver(page);
    await shows('Delivered');
    await phone.setOffline(false);
    await driver.sync(page, 'All sent');
    await check('all sent');
    await driver.chooseWrong(page, 'Freight is damaged');
    await driver.takePhotos(page, 1);
    await driver.send(page, 'Report');
    const second = await driver.newFreight(client);
    const link = await linkTo(second);
    await phone.setOffline(true);
    await driver.follow(page, link);
    await shows('No connection');
    await client.cancelShipment({ shipment_id: second.id, reason: 'The order was withdrawn.' });
    await phone.setOffline(false);
    await page.getByText('This shipment was cancelled.').waitFor();
    await check('cancelled');

    const all = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered'];
    expect(await driver.statuses(client, tracking_number)).toEqual(all);
    const { exceptions = [] } = await client.getTracking({ tracking_number });
    expect(exceptions).toMatchObject([
      { code: 'traffic_delay', description: 'Bridge closed', photo_count: 2 },
      { code: 'damaged', shipment_status: 'delivered', photo_count: 1 },
    ]);
    const here = { lat: 45.52, lng: -122.67 };
    expect((await client.listPositions({ tracking_number })).data).toMatchObject([here, here]); // also of the report
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
    const shipment = await driver.newFreight(client);
    const { tracking_number } = shipment;
    let isCut = false; // a new page of a browser that is offline has a network for a moment
    const wayOf = () => (isCut ? 'lost request' : 'pass');
    await using relay = await driver.startRelay(() => service.origin, wayOf);
    await page.goto(await linkTo(shipment, relay.origin));
    await driver.sync(page, 'All sent');
    await driver.installed(page);
    isCut = true;
    await phone.setOffline(true);
    await driver.sync(page, 'Offline');
    await driver.takeStep(page, 'Take this shipment', 'Confirm pickup');
    await driver.sync(page, 'Offline · 2 wait');
    const before = await page.evaluate<number>('Date.now()');
    await page.reload();
    await driver.sync(page, 'Offline · 2 wait');
    await driver.openForm(page, 'Report: nobody here');
    await driver.takeStep(page, 'Report');
    await driver.sync(page, 'Offline · 3 wait');
    await page.close();
    const later = await phone.newPage();
    await later.goto(`${relay.origin}/d/`);
    await driver.sync(later, 'Offline · 3 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('scheduled');
    isCut = false;
    await phone.setOffline(false);
    await driver.sync(later, 'All sent');
    expect(await driver.statuses(client, tracking_number)).toEqual(['scheduled', 'dispatched', 'picked_up']);
    const { timeline, exceptions } = await client.getTracking({ tracking_number });
    expect(Date.parse(timeline.at(-1)?.timestamp ?? '')).toBeLessThan(before);
    expect(exceptions).toMatchObject([{ code: 'nobody_there', shipment_status: 'picked_up' }]);
  });

  test('a recorded step is not sent twice, and a refused one waits', async ({ client, open, phone, page }) => {
    const { id: shipment_id, tracking_number } = await open();
    await phone.setOffline(true);
    await driver.takeStep(page, 'Take this shipment');
    await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await phone.setOffline(false);
    await driver.sync(page, 'All sent');
    await phone.setOffline(true);
    await driver.takeStep(page, 'Confirm pickup', 'Start the trip');
    await client.cancelShipment({ shipment_id, reason: 'The order was withdrawn.' });
    await phone.setOffline(false);
    await page.getByText('somebody else recorded another step').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    for (const count of [2, 1]) {
      await driver.sync(page, `Needs you · ${count} wait`);
      await driver.tap(page, 'Discard');
    }
    await page.getByText('This shipment was cancelled.').waitFor();
    await driver.sync(page, 'All sent');
    expect(await driver.statuses(client, tracking_number)).toEqual(['scheduled', 'dispatched', 'cancelled']);
  });

  test('two tabs send each step once', async ({ client, open, linkTo, phone, page }) => {
    const shipment = await open();
    const { tracking_number } = shipment;
    const other = await phone.newPage();
    await other.goto(await linkTo(shipment));
    for (const tab of [page, other]) await driver.sync(tab, 'All sent');
    await phone.setOffline(true);
    await driver.takeStep(page, 'Take this shipment');
    await driver.sync(other, 'Offline · 1 wait');
    await driver.takeStep(other, 'Confirm pickup');
    await driver.sync(page, 'Offline · 2 wait');
    await phone.setOffline(false);
    for (const tab of [page, other]) await driver.sync(tab, 'All sent');
    expect(await driver.statuses(client, tracking_number)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  });

  test('a driver leaves the freight with a photo, unless a signature is required', async ({ client, open, page }) => {
    const { tracking_number } = await open('in_transit');
    await driver.openForm(page, 'Deliver with signature');
    await page.getByLabel('Nobody signs').check();
    await page.getByText('Still missing: Photo 1').waitFor();
    await driver.takePhotos(page, 1);
    await driver.send(page, 'Confirm delivery');
    const proof = await client.getProofOfDelivery({ tracking_number });
    expect(proof).toMatchObject({ unattended: true, photos: [expect.any(String)] });
    await open('in_transit', { signature_required: true });
    await driver.openForm(page, 'Deliver with signature');
    await page.getByLabel('Name of the person who signs').waitFor();
    expect(await page.getByLabel('Nobody signs').count()).toBe(0);
  });

  test('on a small phone the steps are in view, and turned the buttons leave room', async ({ open, phone, page }) => {
    await phone.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['de'] })`);
    await open('in_transit');
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? expect.unreachable();
    await page.setViewportSize({ width: 360, height: 640 });
    const [steps, buttons] = [await boxOf('.steps'), await boxOf('footer')];
    expect(steps.y + steps.height).toBeLessThan(buttons.y);
    await page.setViewportSize({ width: 640, height: 360 });
    expect((await boxOf('footer')).height).toBeLessThan(120);
    await driver.openForm(page, 'Mit Unterschrift zustellen');
    expect((await boxOf('footer')).height).toBeLessThan(140);
  });

  test('the page asks for the handover code, and again when it was wrong', async ({ client, open, phone, page }) => {
    const bodies: string[] = [];
    const keep = (body: string) => void bodies.push(body);
    page.on('response', (response) => void response.text().then(keep, () => {}));
    const { tracking_number } = await open('in_transit', { handover_code: '90817263' });
    const field = page.getByLabel('Code of the recipient');
    const missing = page.getByText('Still missing: Code of the recipient');
    await driver.openForm(page, 'Deliver with signature');
    await missing.waitFor();
    await field.fill('٤٨');
    expect(await missing.count()).toBe(1);
    await field.fill('１１ ۱۱');
    await phone.setOffline(true);
    await driver.deliver(page);
    await phone.setOffline(false);
    await page.getByText('The code was wrong.').waitFor();
    await driver.sync(page, 'Needs you · 1 wait');
    expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
    await page.reload(); // keeps the proof
    await field.fill('2222');
    await driver.tap(page, 'Send again');
    await vi.waitFor(async () => expect(await field.inputValue()).toBe(''), waitTimeout);
    await field.fill('٩٠٨١-٧٢٦٣');
    await driver.tap(page, 'Send again');
    await driver.sync(page, 'All sent');
    const { signed_by, photos } = await client.getProofOfDelivery({ tracking_number });
    expect([signed_by, photos.length]).toEqual(['R. Alvarez', 1]);
    expect(bodies.join()).toContain('handover_code_required');
    expect(bodies.join()).not.toContain('90817263');
  });
});
