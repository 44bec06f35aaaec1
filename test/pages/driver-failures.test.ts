import { setImmediate } from 'node:timers/promises';
import type { Client } from '@waybill/client';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { Random } from '@waybill/sandbox/simulate/random';
import type { Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { isLong } from '../fixtures/long-form.ts';
import { chromiumMissing, hasChromium } from '../fixtures/programs/chromium.ts';
import { type Service, signingKey } from '../fixtures/service/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startWaybill } from '../operate/cli/run-waybill.ts';
import { fakeReceiver, installed, newFreight, startRelay, test, type Way } from './driver-on-phone.ts';
import { Driver, type Load, loadOf } from './driver-trip.ts';

/** Trips. The number of each is its seed. */
const runs = 60;
/** So that every run ends. */
const maxFailures = 8;

const ofPage = ['reload', 'close', 'crash'];
const failures = ['lost request', 'lost response', 'network', 'kill before', 'kill after', ...ofPage] as const;

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
  if (failure === 'reload') return void (await page.reload().catch(() => {})); // another failure may end it
  if (failure === 'crash') {
    const crashed = new Promise((resolve) => void page.once('crash', resolve).once('close', resolve));
    void page.goto('chrome://crash').catch(() => {});
    await crashed;
  }
  await page.close();
}

/** How many minutes the clock of the phone is wrong. */
const clockErrors = [0, 12, -12, 60, -180];

/** The service has what the driver did: nothing is lost, and nothing is there twice. */
async function check(client: Client, { shipment, measured, maybe }: Load, start: number) {
  const { tracking_number } = shipment;
  const { timeline, exceptions = [] } = await client.getTracking({ tracking_number });
  const statuses = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered'];
  expect(timeline.map(({ status }) => status)).toEqual(statuses);
  const times = timeline.slice(1).map(({ timestamp }) => Date.parse(timestamp));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const time of times) {
    expect(time).toBeGreaterThan(start - 120_000);
    expect(time).toBeLessThan(Date.now() + 300_000);
  }
  expect(exceptions).toMatchObject([{ code: 'traffic_delay', photo_count: 2 }]);
  const events = await client.listEvents().toArray({ limit: 1_000 });
  const own = events.filter(({ data }) => JSON.stringify(data).includes(tracking_number));
  const reached = 'tracking.status_reached';
  const types = own.map(({ type }) => type).filter((type) => /proof|exception|status/.test(type));
  const after = ['tracking.exception_raised', reached, 'proof_of_delivery.submitted'];
  expect(types).toEqual([reached, reached, reached, ...after]);
  const proof = await client.getProofOfDelivery({ tracking_number });
  expect([proof.signed_by, proof.photos.length]).toEqual(['R. Alvarez', 1]);
  // Time that passes faster than the phone finds its place makes the form use a measured position, or none.
  if (proof.location) expect(proof.location.lat).toBeCloseTo(45.26, 0);
  const ofActions = [...timeline.map((entry) => entry.timestamp), ...exceptions.map((report) => report.occurred_at)];
  const positions = await client.listPositions({ tracking_number }).toArray({ limit: 1_000 });
  const stored = positions.flatMap(({ lat, updated_at }) => (ofActions.includes(updated_at) ? [] : [lat]));
  expect(stored).toEqual([...new Set(stored)]);
  expect([...measured].filter((lat) => !stored.includes(lat))).toEqual([]);
  expect(stored.filter((lat) => !maybe.has(lat))).toEqual([]);
}

describe.skipIf(!isLong || !hasChromium)(`the page of a driver${chromiumMissing}`, () => {
  test.for(Array.from({ length: runs }, (_, index) => index + 1))(
    'sends each action and position once, whatever fails and whatever the driver and the phone do wrong (seed %i)',
    { timeout: 10 * waitTimeout.timeout },
    async (seed, { client, service, linkTo, phone }) => {
      const random = new Random(seed);
      const happened: string[] = [];
      let page: Page | undefined;
      let kill = (): void => {};
      let interruption: Promise<void> | undefined;
      let maxHappened = 0; // nothing fails before the start
      let lost = 0; // how many of the next requests do not arrive

      const wayOf = async (method: string): Promise<Way> => {
        if (lost > 0) {
          lost--;
          return 'lost request';
        }
        if (method === 'GET' || happened.length >= maxHappened || random.chance(0.5)) return 'pass';
        const failure = random.pick(failures);
        happened.push(failure);
        if (failure === 'lost request' || failure === 'lost response') return failure;
        if (failure === 'network') lost = Math.floor(random.between(1, 6));
        if (page && ofPage.includes(failure)) interruption = interrupt(page, failure);
        await interruption;
        if (failure === 'kill before') kill();
        if (failure !== 'kill after') return 'pass';
        await setImmediate(); // the request leaves with the kill
        kill();
        return 'pass';
      };
      let target = '';
      await using relay = await startRelay(() => target, wayOf);
      await using killable = await startKillable(service, `${relay.origin}/v1`);
      target = killable.url;
      kill = killable.kill;

      const hasLocation = seed % 2 === 0;
      const clockError = clockErrors[seed % clockErrors.length] ?? 0;
      happened.push(`${hasLocation ? 'a' : 'no'} location`, `clock ${clockError} min`);
      const start = Date.now();
      await phone.clock.install({ time: start + clockError * 60_000 });
      await fakeReceiver(phone);
      if (!hasLocation) await phone.clearPermissions();
      const loads = [loadOf(await newFreight(client)), loadOf(await newFreight(client))];
      page = await phone.newPage();
      for (const { shipment } of loads) {
        await page.goto(await linkTo(shipment, relay.origin));
        await page.locator('header').getByText(shipment.tracking_number).waitFor();
      }
      await installed(page);
      maxHappened = happened.length + maxFailures;
      const driver = new Driver(random, loads);
      let errors = 0;
      for (let isDone = false; !isDone; ) {
        await interruption;
        try {
          if (page.isClosed()) {
            page = await phone.newPage();
            await page.goto(`${relay.origin}/d/`);
          }
          isDone = await driver.act(page);
        } catch (error) {
          if (++errors > happened.length) throw error; // nothing has interrupted the driver
          await interruption;
        }
      }
      expect(driver.forgotten).toEqual([]);
      for (const load of loads) {
        const isDone = async () => {
          await page?.clock.fastForward(5_000); // a pause after a failure
          await check(client, load, start);
        };
        await vi.waitFor(isDone, { ...waitTimeout, interval: 500 });
      }
      process.stdout.write(`seed ${seed}: ${happened.join(', ')}\n`);
    },
  );
});
