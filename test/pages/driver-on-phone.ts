import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, createClient } from '@waybill/client';
import { makeDriverLink } from '@waybill/docs/samples/driver-link.ts';
import type { PageFile } from '@waybill/pages/frame/page-files';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { testInBrowser } from '../fixtures/programs/chromium.ts';
import { type Shipment, type Status, shipmentIn } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { isLocal, openContext } from './browser-context.ts';

type More = Parameters<typeof shipmentIn>[2];

export const pallets = { description: 'Pallets', pieces: 2, weight: { value: 640, unit: 'lb' as const } };
const portland = { address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209' };

/** A shipment as a driver gets it. */
export const newFreight = (client: Client, status: Status = 'scheduled', more: More = {}): Promise<Shipment> =>
  shipmentIn({ client }, status, {
    origin: { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402' },
    destination: { ...portland, contact_name: 'Dana', contact_phone: '+1 503 555 0142' },
    notes: 'Dock 4, ring twice.',
    items: [pallets],
    ...more,
  });

/** `phone` is a browser of a driver, whose data each test has for itself, and `page` a tab of it. */
export const test = testInBrowser.extend<{
  $test: {
    client: Client;
    phone: BrowserContext;
    page: Page;
    /** Makes a link for the driver of a shipment. */
    linkTo: (shipment: Pick<Shipment, 'id'>, origin?: string) => Promise<string>;
    /** Opens a link to a new shipment. */
    open: (status?: Status, more?: More) => Promise<Shipment>;
  };
}>({
  client: ({ account }, use) => use(account.client),
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
  linkTo: [
    ({ client, service }, use) =>
      use(async ({ id }, origin = service.origin) => {
        const { pathname, hash } = new URL(await makeDriverLink(client, id));
        return origin + pathname + hash;
      }),
    { scope: 'test' },
  ],
  open: [
    ({ client, page, linkTo }, use) =>
      use(async (...given) => {
        const shipment = await newFreight(client, ...given);
        await page.goto(await linkTo(shipment));
        await page.locator('header').getByText(shipment.tracking_number).waitFor();
        return shipment;
      }),
    { scope: 'test' },
  ],
});

/** Opens another link in the open page. */
export const follow = (page: Page, link: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);

export const tokenOf = (link: string): string => /wba_[^/]+/.exec(link)?.[0] ?? '';

/** Waits until the service refuses a token, which it may know for half a second after its end. */
export const refuses = (baseUrl: string, accessToken: string, shipment_id: string): Promise<void> =>
  vi.waitFor(async () => {
    const reading = createClient({ baseUrl, accessToken }).getShipment({ shipment_id });
    await expect(reading).rejects.toMatchObject({ status: 401 });
  }, waitTimeout);

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

/** Makes the page look at the network: it sends what waits, and reads the shipment. */
export const wake = (page: Page): Promise<unknown> => page.evaluate(`dispatchEvent(new Event('online'))`);

/** Waits until the page opens without a network. */
export const installed = (page: Page): Promise<unknown> =>
  page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');

/** Waits until the page has stored what has changed: a later transaction of its database follows. */
export const stored = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    indexedDB.open('waybill-driver').onsuccess = ({ target: { result } }) => {
      result.transaction(result.objectStoreNames, 'readwrite').oncomplete = () => resolve(result.close());
    };
  })`);

/** What a device measures: its own time in milliseconds before now, and the place. */
export type Measured = [ago: number, lat: number, lng?: number];

/** Lets the test decide what the device measures, in all pages of a phone. */
export const fakeReceiver = (phone: BrowserContext) =>
  phone.addInitScript(`
    navigator.geolocation.watchPosition = (heard) => ((window.heard = heard), 1);
    navigator.geolocation.clearWatch = () => delete window.heard;
  `);

/** Resolves when the page wants what the device measures: it has stored that the location is shared. */
export const listens = (page: Page): Promise<void> =>
  vi.waitFor(async () => expect(await page.evaluate('typeof window.heard')).toBe('function'), waitTimeout);

/** The device measures positions, and the page has stored what it wants of them. */
export async function measure(page: Page, measured: Measured[]): Promise<void> {
  await listens(page);
  await page.evaluate(`{
    const now = Date.now();
    for (const [ago, latitude, longitude = -122] of ${JSON.stringify(measured)})
      window.heard({ timestamp: now - ago, coords: { latitude, longitude, accuracy: 5 } });
  }`);
  await stored(page);
}

/** Shares the location for the open shipment. */
export async function share(page: Page): Promise<void> {
  const box = page.getByLabel('Share my location');
  await box.waitFor();
  await page.clock.fastForward(1_000);
  await box.check();
}

/** Taps the button of a step or of a form, and lets the time pass in which it can be undone, so that it is sent. */
export async function takeStep(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await tap(page, name);
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await page.clock.fastForward(5_000);
  }
}

export async function openForm(page: Page, button: string): Promise<void> {
  await tap(page, button);
  await page.locator('form.sheet').waitFor();
  await page.clock.fastForward(1_000); // a tap would be one on what was there before
}

/** Opens the form of something that is wrong, and chooses what. */
export async function chooseWrong(page: Page, label: string, details?: string): Promise<void> {
  await openForm(page, 'Report a problem');
  await page.getByLabel(label).check();
  if (details !== undefined) await page.getByLabel('Details').fill(details);
}

/** The statuses that a shipment has had. */
export const statuses = async ({ getTracking }: Client, tracking_number: string): Promise<string[]> =>
  (await getTracking({ tracking_number })).timeline.map(({ status }) => status);

/** What the page says about what it has sent. */
export const sync = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

/** Takes steps, and waits until they are sent. */
export async function send(page: Page, ...names: string[]): Promise<void> {
  await takeStep(page, ...names);
  await sync(page, 'All sent');
}

/** Takes photos in the open form, as a phone does: larger than the page sends. */
export async function takePhotos(page: Page, to: number, from = 1): Promise<void> {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2400, height: 1800 });
    canvas.getContext('2d').fillRect(300, 300, 1800, 1200);
    return canvas.toDataURL('image/jpeg', 0.5).split(',')[1];
  })()`);
  const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
  // The next one is taken before the last one is made smaller.
  await page.evaluate(`{
    const make = createImageBitmap;
    const isTaken = new Promise((resolve) => (window.taken = resolve));
    window.createImageBitmap = (...given) => isTaken.then(() => make(...given));
  }`);
  for (let number = from; number <= to; number++) await page.locator('input[type=file]').setInputFiles(file);
  await page.evaluate('window.taken?.()');
  await page.getByRole('img', { name: `Photo ${to}` }).waitFor();
}

/** Signs in the open form, as with a finger. */
export async function sign(page: Page): Promise<void> {
  const field = page.getByRole('img', { name: 'Signature' });
  await field.hover({ position: { x: 40, y: 120 } }); // once nothing above it moves it any more
  const { x, y } = (await field.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.down();
  await page.mouse.move(x + 140, y + 40, { steps: 5 });
  await page.mouse.move(x + 240, y + 140, { steps: 5 });
  await page.mouse.up();
}

/** Opens the proof of delivery, if it is not open, fills it and submits it. */
export async function deliver(page: Page, name = 'R. Alvarez'): Promise<void> {
  if ((await page.locator('form.sheet').count()) === 0) await openForm(page, 'Deliver with signature');
  await page.getByLabel('Name of the person who signs').fill(name);
  await sign(page);
  await takePhotos(page, 1);
  await takeStep(page, 'Confirm delivery');
}

/** What happens to a request: it does not arrive, its response is lost, or neither. */
export type Way = 'pass' | 'lost request' | 'lost response';

/**
 * Starts an HTTP server that passes requests on, and can lose them or their responses.
 * @param wayOf decides on each request
 * @param files are served instead
 */
export async function startRelay(
  target: () => string,
  wayOf: (method: string) => Promise<Way> | Way,
  files: Record<string, PageFile> = {},
): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers, socket } = request;
    const file = files[path];
    if (file) return response.writeHead(200, file.headers).end(file.body);
    const way = await wayOf(method);
    if (way === 'lost request') return socket.destroy();
    const { hostname, port } = new URL(target());
    const passed = sendRequest({ hostname, port, method, path, headers }, (answer) => {
      if (way === 'lost response') return void answer.resume().once('close', () => socket.destroy());
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.once('error', () => response.destroy()).pipe(response);
    });
    passed.once('error', () => socket.destroy());
    return request.once('error', () => passed.destroy()).pipe(passed);
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
