import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
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
});
