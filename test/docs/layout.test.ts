import type { Locator } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { test } from './browser.ts';

const phone = { width: 360, height: 780 };
const laptop = { width: 1280, height: 800 };

async function edges(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is invisible.`);
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test.for([phone, { width: 1024, height: 768 }, laptop])(
    'the lifecycle diagram fits into a window $width px wide',
    async (window, { page, open }) => {
      await page.setViewportSize(window);
      await open('lifecycle');
      const figure = await edges(page.getByRole('figure'));
      const parts = page.getByRole('figure').locator('rect, text');
      expect(await parts.count()).toBeGreaterThan(12);
      for (const part of await parts.all()) {
        const { left, top, right, bottom } = await edges(part);
        expect(left).toBeGreaterThanOrEqual(figure.left);
        expect(top).toBeGreaterThanOrEqual(figure.top);
        expect(right).toBeLessThanOrEqual(figure.right);
        expect(bottom).toBeLessThanOrEqual(figure.bottom);
      }
      const { right } = await edges(page.getByRole('figure'));
      expect(right).toBeLessThanOrEqual(window.width);
    },
  );

  test.for([
    ['', phone],
    ['guides/mock', phone],
    ['reference/recordTrackingEvent', phone],
    ['reference/recordTrackingEvent', laptop],
  ] as const)('the copy buttons of docs/%s cover no code in a window %o', async ([path, window], { page, open }) => {
    await page.setViewportSize(window);
    await open(path);
    const blocks = await page.locator('div[class*="language-"]:visible').all();
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const button = await edges(block.locator('button.copy'));
      const code = await edges(block.locator('.line').first());
      expect(button.bottom <= code.top || button.left >= code.right, `${await block.textContent()}`).toBe(true);
    }
  });

  test('the form of an operation is visible at the end of its page', async ({ page, open }) => {
    await page.setViewportSize(laptop);
    await open('reference/createShipment');
    const button = page.getByRole('button', { name: 'Send POST request' });
    // Again, because the site itself scrolls to the top when it has loaded.
    await vi.waitFor(async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      const { top, bottom } = await edges(button);
      expect(top).toBeGreaterThan(0);
      expect(bottom).toBeLessThan(laptop.height);
    }, waitTimeout);
  });
});
