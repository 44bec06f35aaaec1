import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@waybill/client';
import { makeDriverLink } from '@waybill/docs/samples/driver-link.ts';
import type { PageFile } from '@waybill/pages/page-files';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { testInBrowser } from '../fixtures/chromium.ts';
import { type Shipment, shipmentRequest } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { isLocal, openContext } from './browser.ts';

/** `phone` is a browser of a driver, whose data each test has for itself, and `page` a tab of it. */
export const test = testInBrowser.extend<{ $test: { phone: BrowserContext; page: Page } }>({
  phone: async ({ browser }, use) => {
    const options = {
      geolocation: { latitude: 45.52, longitude: -122.67 },
      hasTouch: true,
      permissions: ['geolocation'],
      reducedMotion: 'reduce' as const,
      timezoneId: 'America/Los_Angeles',
      viewport: { width: 390, height: 844 },
    };
    const isOwn = (url: URL): boolean => url.protocol === 'blob:' || isLocal(url);
    await using phone = await openContext(browser, options, 'wba_', isOwn);
    await phone.clock.install();
    await use(phone);
  },
  page: async ({ phone }, use) => use(await phone.newPage()),
});

/** A shipment as a driver gets it. */
export const newFreight = (client: Client): Promise<Shipment> =>
  client.createShipment({
    ...shipmentRequest(),
    origin: { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402' },
    destination: {
      address: '310 Mill Lane',
      city: 'Portland',
      state: 'OR',
      zip: '97209',
      contact_name: 'Dana',
      contact_phone: '+1 503 555 0142',
    },
    notes: 'Dock 4, ring twice.',
    items: [{ description: 'Pallets', pieces: 2, weight_kg: 640 }],
  });

/** The link of the driver of a shipment, at this origin. */
export async function driverLink(client: Client, shipment_id: string, origin: string): Promise<string> {
  const { pathname, hash } = new URL(await makeDriverLink(client, shipment_id));
  return origin + pathname + hash;
}

/** The button for the next step. */
export const nextButton = (page: Page): Locator => page.locator('footer .big');

/** Taps a button that has been where it is for a second. */
export async function tap(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).first();
  await button.waitFor();
  await page.clock.fastForward(1_000);
  await button.click();
}

/** Shows another shipment. The page ignores a tap that comes while its buttons move. */
export async function show(page: Page, { tracking_number }: { tracking_number: string }): Promise<void> {
  const shown = page.locator('header').getByText(tracking_number);
  await vi.waitFor(async () => {
    if (await shown.isVisible()) return;
    await page.clock.fastForward(1_000);
    await page.getByRole('button', { name: tracking_number }).click({ timeout: 2_000 });
    expect(await shown.isVisible()).toBe(true);
  }, waitTimeout);
}

/** Waits until drafts are stored that the page has changed: a later transaction of the database follows theirs. */
export const draftsStored = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    indexedDB.open('waybill-driver').onsuccess = ({ target }) => {
      const count = target.result.transaction('drafts').objectStore('drafts').count();
      count.onsuccess = () => resolve(target.result.close());
    };
  })`);

/** What a device measures: its own time in milliseconds before now, and the place. */
type Measured = [ago: number, lat: number, lng?: number];

/** Lets the test decide what the device measures, in all pages of a phone. */
export async function fakeReceiver(phone: BrowserContext): Promise<void> {
  await phone.addInitScript(`
    navigator.geolocation.watchPosition = (heard) => ((window.heard = heard), 1);
    navigator.geolocation.clearWatch = () => delete window.heard;
  `);
}

/** Resolves when the page wants what the device measures: it has stored that the location is shared. */
export const listens = (page: Page): Promise<void> =>
  vi.waitFor(async () => expect(await page.evaluate('typeof window.heard')).toBe('function'), waitTimeout);

/** The device measures positions, and the page has stored what it wants of them. */
export async function measure(page: Page, measured: Measured[]): Promise<void> {
  await listens(page);
  await page.evaluate(`(async () => {
    const now = Date.now();
    for (const [ago, latitude, longitude = -122] of ${JSON.stringify(measured)})
      window.heard({ timestamp: now - ago, coords: { latitude, longitude, accuracy: 5 } });
    const opened = indexedDB.open('waybill-driver');
    const db = await new Promise((resolve) => (opened.onsuccess = () => resolve(opened.result)));
    // After the transactions of the page.
    const last = db.transaction(['links', 'positions'], 'readwrite');
    await new Promise((resolve) => (last.oncomplete = resolve));
    db.close();
  })()`);
}

/** Shares the location for the open shipment. */
export async function share(page: Page): Promise<void> {
  const box = page.getByLabel('Share my location');
  await box.waitFor();
  await page.clock.fastForward(1_000);
  await box.check();
}

/** Waits until the page holds what the driver did, and lets the time pass in which it can be undone. */
async function release(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.clock.fastForward(5_000);
}

/** Taps the button of a step, and lets it be sent. */
export async function takeStep(page: Page, name: string): Promise<void> {
  await tap(page, name);
  await release(page);
}

export async function openForm(page: Page, button: string): Promise<void> {
  await tap(page, button);
  await page.locator('form.sheet').waitFor();
}

/** Reports what the open form says, and lets it be sent. */
export async function report(page: Page): Promise<void> {
  await tap(page, 'Report');
  await release(page);
}

/** What the page says about what it has sent. */
export const sync = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

/** A photo as a phone takes it: larger than the page sends. */
export const photoFile = async (page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 2400;
    canvas.height = 1800;
    const context = canvas.getContext('2d');
    context.fillStyle = '#b5651d';
    context.fillRect(300, 300, 1800, 1200);
    return canvas.toDataURL('image/jpeg', 0.5).split(',')[1];
  })()`);
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
};

/** Takes photos in the open form. */
export async function takePhotos(page: Page, count: number): Promise<void> {
  for (let taken = 1; taken <= count; taken++) {
    await page.locator('input[type=file]').setInputFiles(await photoFile(page));
    await page.getByRole('img', { name: `Photo ${taken}` }).waitFor();
  }
}

/** Signs in the open form, as with a finger. */
export async function sign(page: Page): Promise<void> {
  const field = page.getByRole('img', { name: 'Signature' });
  await field.hover({ position: { x: 40, y: 120 } }); // once nothing above it moves it any more
  const box = await field.boundingBox();
  if (!box) throw new Error('The signature field is not visible.');
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 40, { steps: 5 });
  await page.mouse.move(box.x + 240, box.y + 140, { steps: 5 });
  await page.mouse.up();
}

/** Fills the proof of delivery and submits it. */
export async function deliver(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the person who signs').fill(name);
  await sign(page);
  await takePhotos(page, 1);
  await takeStep(page, 'Delivered');
}

/** What happens to a request: it does not arrive, its response is lost, or neither. */
export type Way = 'pass' | 'lost request' | 'lost response';

/**
 * Starts an HTTP server that passes requests on, and can lose them or their responses.
 * @param target where the requests go
 * @param files are served instead
 * @param wayOf decides on each request
 */
export async function startRelay(
  target: () => string,
  {
    files = {},
    wayOf = async () => 'pass',
  }: { files?: Record<string, PageFile>; wayOf?: (method: string) => Promise<Way> },
): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const file = files[request.url ?? ''];
    if (file) return response.writeHead(200, file.headers).end(file.body);
    const way = await wayOf(request.method ?? '');
    if (way === 'lost request') return request.socket.destroy();
    const { hostname, port } = new URL(target());
    const { method, url, headers } = request;
    const passed = send({ hostname, port, method, path: url, headers }, (answer) => {
      if (way === 'lost response') {
        answer.resume().once('close', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.once('error', () => response.destroy()).pipe(response);
    });
    passed.once('error', () => request.socket.destroy());
    request.once('error', () => passed.destroy()).pipe(passed);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
