import { setImmediate } from 'node:timers/promises';
import { freePort } from '@waybill/tools/free-port';
import { Random } from '@waybill/tools/random';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { startWaybill } from '../cli/run.ts';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { isLong } from '../fixtures/long-form.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { type Service, signingKey } from '../fixtures/service.ts';
import { newAccount } from '../fixtures/test.ts';
import { deliver, driverLink, newFreight, nextButton, startRelay, sync, takePhotos, test, type Way } from './driver.ts';

/** Trips. The number of each is its seed. */
const runs = isLong ? 50 : 1;
/** So that every run ends. */
const maxFailures = isLong ? 8 : 4;

const failures = [
  'lost request',
  'lost response',
  'network',
  'reload',
  'close',
  'crash',
  'kill before',
  'kill after',
] as const;

/** A service of its own process, which can be killed and starts again at the same port. */
async function startKillable({ storageFolder }: Service, baseUrl: string) {
  const port = await freePort();
  const start = async () => {
    const settings = { PORT: String(port), BASE_URL: baseUrl, SIGNING_KEYS: signingKey, HOST: '127.0.0.1' };
    const program = startWaybill(['serve'], { ...settings, STORAGE_URL: `file:${storageFolder}` });
    await program.waitForOutput(/listening at/);
    return program;
  };
  let running = await start();
  let restart: Promise<void> = Promise.resolve();
  return {
    url: `http://127.0.0.1:${port}`,
    kill() {
      restart = restart.then(async () => {
        await running[Symbol.asyncDispose]();
        running = await start();
      });
    },
    async [Symbol.asyncDispose]() {
      await restart;
      await running[Symbol.asyncDispose]();
    },
  };
}

/** Ends what the page does. A new page continues, unless it is loaded again. */
async function interrupt(page: Page, failure: string): Promise<void> {
  const isHome =
    (await page
      .locator('form')
      .count()
      .catch(() => 1)) === 0;
  if (failure === 'reload' && isHome) {
    await page.reload().catch(() => {}); // another failure may end it
    return;
  }
  if (failure === 'crash') {
    const crashed = new Promise((resolve) => void page.once('crash', resolve).once('close', resolve));
    void page.goto('chrome://crash').catch(() => {});
    await crashed;
  }
  await page.close();
}

/** Does what the driver would do next on the page. @returns whether everything is done and sent */
async function act(page: Page, state: { hasReported: boolean }): Promise<boolean> {
  const home = page.locator('.steps');
  await home.or(page.locator('form')).first().waitFor();
  if (await page.locator('form').count()) {
    await page.getByRole('button', { name: 'Back' }).click();
    return false;
  }
  if (await page.getByRole('heading', { name: 'Delivered' }).count()) {
    await sync(page, 'All sent');
    return true;
  }
  const name = await nextButton(page).textContent();
  if (name === 'Deliver with signature' && !state.hasReported) {
    // A report that was stored shows after a crash, too.
    if (await page.getByText('Delayed by traffic').count()) {
      state.hasReported = true;
      return false;
    }
    await page.getByRole('button', { name: 'Something is wrong' }).click();
    await page.getByLabel('Delayed by traffic').check();
    await takePhotos(page, 2);
    await page.getByRole('button', { name: 'Report' }).click();
    await home.waitFor();
    state.hasReported = true;
  } else if (name === 'Deliver with signature') {
    await nextButton(page).click();
    await deliver(page, 'R. Alvarez');
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
  } else {
    const isLoaded = page.waitForEvent('load'); // then the tap may be lost, and the next look at the page shows it
    isLoaded.catch(() => {}); // a failed tap is the error
    const button = nextButton(page);
    await button.click();
    await Promise.any([button.filter({ hasNotText: name ?? '' }).waitFor(), isLoaded]);
  }
  return false;
}

describe.skipIf(!hasChromium)(`the page of a driver${chromiumMissing}`, () => {
  test.for(Array.from({ length: runs }, (_, index) => index + 1))(
    'sends each action once and in order, with failures of the network, the page and the service (seed %i)',
    async (seed, { service, phone }) => {
      notWithCluster('it kills the service');
      const random = new Random(seed);
      const account = await newAccount(service);
      const happened: string[] = [];
      let page: Page | undefined;
      let kill = (): void => {};
      let interruption: Promise<void> | undefined;
      let lost = 0; // how many of the next requests do not arrive

      const wayOf = async (method: string): Promise<Way> => {
        if (lost > 0) {
          lost--;
          return 'lost request';
        }
        if (method === 'GET') return 'pass';
        if (happened.length >= maxFailures || random.chance(0.5)) return 'pass';
        const failure = random.pick(failures);
        happened.push(failure);
        if (failure === 'lost request' || failure === 'lost response') return failure;
        if (failure === 'network') lost = Math.floor(random.between(1, 6));
        if (page && ['reload', 'close', 'crash'].includes(failure)) interruption = interrupt(page, failure);
        await interruption;
        if (failure === 'kill before') kill();
        if (failure !== 'kill after') return 'pass';
        await setImmediate(); // the request leaves with the kill
        kill();
        return 'pass';
      };
      let target = '';
      await using relay = await startRelay(() => target, { wayOf });
      await using killable = await startKillable(service, `${relay.origin}/v1`);
      target = killable.url;
      kill = killable.kill;

      const shipment = await newFreight(account.client);
      const { tracking_number } = shipment;
      const link = await driverLink(account.client, shipment.id, relay.origin);
      page = await phone.newPage();
      await page.goto(link);
      await nextButton(page).waitFor();
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      const state = { hasReported: false };
      let errors = 0;
      for (let isDone = false; !isDone; ) {
        await interruption;
        try {
          if (page.isClosed()) {
            page = await phone.newPage();
            await page.goto(`${relay.origin}/d/`);
          }
          isDone = await act(page, state);
        } catch (error) {
          if (++errors > happened.length) throw error; // nothing has interrupted the driver
          await interruption;
        }
      }

      const { timeline, exceptions } = await account.client.getTracking({ tracking_number });
      const statuses = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered'];
      expect(
        timeline.map(({ status }) => status),
        happened.join(),
      ).toEqual(statuses);
      const times = timeline.slice(1).map(({ timestamp }) => timestamp);
      expect(times, happened.join()).toEqual(times.toSorted());
      expect(exceptions, happened.join()).toMatchObject([{ code: 'traffic_delay', photo_count: 2 }]);
      const events = await account.client.listEvents().toArray({ limit: 100 });
      const written = events.filter(({ type }) => /proof|exception|status/.test(type)).map(({ type }) => type);
      expect(written, happened.join()).toEqual([
        'tracking.status_reached',
        'tracking.status_reached',
        'tracking.status_reached',
        'tracking.exception_raised',
        'tracking.status_reached',
        'proof_of_delivery.submitted',
      ]);
      const proof = await account.client.getProofOfDelivery({ tracking_number });
      expect(proof.photos).toHaveLength(1);
      if (isLong) process.stdout.write(`seed ${seed}: ${happened.join(', ')}\n`);
    },
  );
});
