import type { Random } from '@waybill/sandbox/simulate/random';
import type { Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { Shipment } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { type Measured, measure, nextButton, share, show, sign, takePhotos } from './driver-on-phone.ts';

/** A shipment on the phone, and what the device has measured while the driver shared the location for it. */
export interface Load {
  shipment: Shipment;
  sharing: 'no' | 'new' | 'yes';
  isDelivered: boolean;
  /** Latitudes that the page has stored, and those that it may have: something ended the page, or the sharing is new. */
  measured: Set<number>;
  maybe: Set<number>;
  /** The steps and forms that the page has shown as done. */
  done: Set<string>;
}

export const loadOf = (shipment: Shipment): Load => ({
  shipment,
  sharing: 'no',
  isDelivered: false,
  measured: new Set(),
  maybe: new Set(),
  done: new Set(),
});

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** A driver with two loads who taps twice, goes back, undoes, and loads the page again. */
export class Driver {
  readonly #random: Random;
  readonly #loads: Load[];
  readonly #start = Date.now();
  #measured = 0;
  /** What the page had shown as done and asked for again. */
  readonly forgotten: string[] = [];

  constructor(random: Random, loads: Load[]) {
    this.#random = random;
    this.#loads = loads;
  }

  /** Does what the driver would do next on the page. @returns whether everything is done and sent */
  async act(page: Page): Promise<boolean> {
    await page.clock.fastForward(2_000); // a pause of the sender is over sooner
    await page.locator('.steps').or(page.locator('form.sheet')).first().waitFor();
    if (await page.locator('form.sheet').count()) {
      // Something has ended the page. A form without a draft may be submitted already.
      const name = page.getByLabel('Name of the person');
      const isEntered = (await name.count()) ? await name.inputValue() : await page.locator('input:checked').count();
      if (isEntered) await this.#fill(page, await this.#shown(page));
      else await page.goBack();
      return false;
    }
    const load = await this.#shown(page);
    const others = this.#loads.filter((other) => other !== load && !other.isDelivered);
    if (await page.getByRole('heading', { name: 'Delivered' }).count()) {
      load.isDelivered = true;
      if (others[0]) await show(page, others[0].shipment);
      else await this.#finish(page);
      return others.length === 0;
    }
    const name = (await nextButton(page).textContent()) ?? '';
    const unshared = others.find(({ sharing }) => sharing === 'no');
    if (load.done.has(name)) this.forgotten.push(`${name} of ${load.shipment.tracking_number}`);
    if (name === 'Take this shipment') await this.#takeStep(page, load, name);
    else if (!(await page.getByLabel('Share my location').isChecked())) {
      await share(page);
      load.sharing = 'new';
    } else if (unshared) {
      await show(page, unshared.shipment);
    } else {
      await this.#measure(page);
      if (name === 'Deliver with signature') await this.#report(page, load);
      else await this.#takeStep(page, load, name);
    }
    return false;
  }

  async #shown(page: Page): Promise<Load> {
    const number = await page.locator('header .mono').textContent();
    return this.#loads.find(({ shipment }) => shipment.tracking_number === number) as Load;
  }

  async #finish(page: Page): Promise<void> {
    const isSent = async () => {
      await page.clock.fastForward(5_000);
      expect(await page.locator('.sync').textContent()).toBe('All sent');
    };
    await vi.waitFor(isSent, { ...waitTimeout, interval: 250 });
  }

  async #tap(page: Page, button: Locator): Promise<void> {
    await button.waitFor();
    await page.clock.fastForward(1_000);
    if (this.#random.chance(0.4)) await button.dblclick();
    else await button.click();
  }

  /** Taps a button, and waits until the page shows that it is done, or is loaded again: then the tap may be lost. */
  async #tapUntil(page: Page, button: Locator, next: Locator, load: Load, name: string): Promise<void> {
    const isLoaded = page.waitForEvent('load').then(() => false);
    isLoaded.catch(() => {}); // a failed tap is the error
    await this.#tap(page, button);
    if (await Promise.any([isLoaded, next.waitFor().then(() => true)])) load.done.add(name);
  }

  async #takeStep(page: Page, load: Load, name: string): Promise<void> {
    await this.#tapUntil(page, nextButton(page), nextButton(page).filter({ hasNotText: name }), load, name);
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    if (this.#random.chance(0.3) && (await undo.count())) {
      await page.clock.fastForward(1_000);
      load.done.delete(name);
      await undo.click();
      await Promise.any([nextButton(page).filter({ hasText: name }).waitFor(), undo.waitFor({ state: 'detached' })]);
    } else if (this.#random.chance(0.3)) await page.reload();
    else await page.clock.fastForward(5_000);
  }

  /** Reports a delay once, or delivers. */
  async #report(page: Page, load: Load): Promise<void> {
    // A report that was stored shows after a crash, too.
    const isReported = (await page.getByText('Delayed by traffic').count()) > 0;
    if (!isReported && load.done.has('Report')) this.forgotten.push(`the report of ${load.shipment.tracking_number}`);
    const button = isReported ? nextButton(page) : page.getByRole('button', { name: 'Report a problem' });
    await this.#tap(page, button);
    await page.locator('form.sheet').waitFor();
    await this.#fill(page, load);
  }

  /** Fills what is missing in a form, and submits it, unless the driver goes back or loads the page again. */
  async #fill(page: Page, load: Load): Promise<void> {
    const isProof = (await page.getByRole('heading', { name: 'Proof of delivery' }).count()) > 0;
    const signOnce = async () => {
      if (await page.getByText(/Still missing.*Signature/).count()) await sign(page);
    };
    const enterName = () => page.getByLabel('Name of the person').fill('R. Alvarez');
    const steps = isProof
      ? [enterName, signOnce, () => this.#takePhotos(page, 1)]
      : [() => page.getByLabel('Delayed by traffic').check(), () => this.#takePhotos(page, 2)];
    await page.clock.fastForward(1_000); // a tap would be one on what was there before
    for (const step of steps) {
      await step();
      if (this.#random.chance(0.1)) return void (await page.goBack());
      if (this.#random.chance(0.1)) return void (await page.reload());
    }
    await page.getByText('Still missing').waitFor({ state: 'detached' });
    const button = page.getByRole('button', { name: isProof ? 'Confirm delivery' : 'Report' });
    await this.#tapUntil(page, button, page.locator('.steps'), load, isProof ? 'Deliver with signature' : 'Report');
  }

  async #takePhotos(page: Page, wanted: number): Promise<void> {
    await page.locator('.photos').waitFor();
    await takePhotos(page, wanted, (await page.locator('.photos img').count()) + 1);
  }

  /** The device measures positions. Some cannot be true. */
  async #measure(page: Page): Promise<void> {
    const now = await page.evaluate<number>('Date.now()');
    const good = Array.from({ length: 3 }, (): Measured => {
      this.#measured++;
      const at = this.#start - 120 * minute + this.#measured * 25_000; // more than the pause between two positions
      return [now - at, 45 + this.#measured / 1_000];
    });
    const bad: Measured[] = [
      [1024 * week, 1],
      [-300 * minute, 2], // ahead of the service, too, when the phone is three hours behind
      [20 * minute, 0, 0],
      [10 * minute, 95],
    ];
    const all = [...good, ...bad.filter(() => this.#random.chance(0.3))];
    const sharing = this.#loads.filter((load) => load.sharing !== 'no' && !load.isDelivered);
    for (const { maybe } of sharing) for (const [, lat] of good) maybe.add(lat);
    all.sort(() => this.#random.between(-1, 1));
    await measure(page, all);
    for (const load of sharing) {
      if (load.sharing === 'yes') for (const [, lat] of good) load.measured.add(lat);
      load.sharing = 'yes';
    }
  }
}
