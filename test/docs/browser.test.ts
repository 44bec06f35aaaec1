import { statuses } from '@waybill/contract/lifecycle';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { violationsOn } from '../fixtures/accessibility.ts';
import { chromiumMissing, hasChromium } from '../fixtures/chromium.ts';
import { isLong } from '../fixtures/long-form.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { test } from './browser.ts';
import { allPages } from './site.ts';

/** One page of each kind. */
const onePerKind = [
  '',
  'quickstart',
  'guides/events',
  'guides/exceptions',
  'reference/',
  'reference/recordTrackingEvent',
  'errors/',
  'errors/invalid_transition',
  'workflows/deliver-a-shipment',
  'lifecycle',
];
const pages = isLong ? await allPages() : onePerKind;

/** Checks light colours, and a narrow screen in dark. */
async function expectAccessible(page: Page): Promise<void> {
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important; }' });
  expect(await violationsOn(page), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('html.dark');
  if (isLong) expect(await violationsOn(page, 'dark'), 'dark').toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await violationsOn(page), 'mobile').toEqual([]);
}

/** A phone, a tablet, the narrowest window with a sidebar and the list of headings, a laptop and a large screen. */
const widths = [390, 768, 1024, 1440, 1920];

/** The cells and code blocks whose content is partly outside of the text, or must be scrolled to be seen. */
const hiddenContent = `
  [...document.querySelectorAll('.vp-doc td, .vp-doc th, .vp-doc pre')]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right } = element.closest('.vp-doc').getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return box.left < left - 1 || box.right > right + 1 || element.scrollWidth > element.clientWidth + 1;
    })
    .map((element) => element.textContent)`;

/** The words of tables that are on two lines. */
const brokenWords = `
  [...document.querySelectorAll('.vp-doc td, .vp-doc th')].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) {
      const { nodeValue } = walker.currentNode;
      for (const { 0: word, index } of nodeValue.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0.5).map(({ top }) => Math.round(top));
        if (new Set(lines).size > 1) words.push(word);
      }
    }
    return words;
  })`;

/** The visible code blocks, and those whose code is partly under their copy button. */
const codeBlocks = `(() => {
  const blocks = [...document.querySelectorAll('div[class*="language-"]')].filter((block) => block.checkVisibility());
  const covered = blocks.filter((block) => {
    const button = block.querySelector('button.copy').getBoundingClientRect();
    const code = block.querySelector('.line').getBoundingClientRect();
    return button.bottom > code.top && button.left < code.right;
  });
  return { count: blocks.length, covered: covered.map((block) => block.textContent) };
})()`;

const phone = { width: 360, height: 780 };
const laptop = { width: 1280, height: 800 };

async function edges(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is invisible.`);
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test.for(pages)('docs/%s is accessible in every mode, and readable in every window', async (path, { page, open }) => {
    await open(path);
    await expectAccessible(page);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate<string[]>(hiddenContent), `wider than a window of ${width} px`).toEqual([]);
      expect(await page.evaluate<string[]>(brokenWords), `words in a window of ${width} px`).toEqual([]);
    }
    const hasCode = /^(quickstart|guides\/mock|reference\/\w+)?$/.test(path);
    for (const window of [phone, laptop]) {
      await page.setViewportSize(window);
      const { count, covered } = await page.evaluate<{ count: number; covered: string[] }>(codeBlocks);
      expect(covered, `copy buttons in a window of ${window.width} px`).toEqual([]);
      if (hasCode) expect(count).toBeGreaterThan(0);
    }
  });

  test('a nonexistent page is accessible and leads to the reference', async ({ page, open, errors, service }) => {
    await open('nothing');
    expect(errors.splice(0)).toContain(`404 for ${service.origin}/docs/nothing`);
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
  });

  test('the search finds an error code', async ({ page, open }) => {
    await open('');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('idempotency_key_reused');
    await page.getByRole('link', { name: 'Idempotency key reused', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Idempotency key reused' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/errors/idempotency_key_reused');
  });

  test('the form of listShipments lists the shipments of the account, and the next form remembers the key', async ({
    page,
    open,
    service,
  }) => {
    const account = await newAccount(service);
    const { tracking_number } = await shipmentIn(account, 'dispatched');
    await open('reference/listShipments');
    await page.getByLabel('API key').fill(account.key);
    await page.getByLabel('status').fill('dispatched');
    await page.getByRole('button', { name: 'Send GET request' }).click();
    await page.getByText('200 OK').waitFor();
    expect(await page.getByLabel('Response body').textContent()).toContain(tracking_number);
    await open('reference/listEvents');
    await page.getByRole('button', { name: 'Send GET request' }).click();
    await page.getByText('200 OK').waitFor();
  });

  test('pages set WAYBILL_URL to the URL of the service, with the path that its operator has chosen', async ({
    page,
    open,
    service,
  }) => {
    const servers = [{ url: 'https://api.example.net/freight/v1' }];
    await page.route('**/openapi.json', (route) => route.fulfill({ json: { servers } }));
    for (const path of ['', 'quickstart', 'reference/', 'reference/getTracking']) {
      await open(path);
      await page.getByText(`WAYBILL_URL=${service.origin}/freight/v1`).first().waitFor();
      const code = (await page.locator('pre code').allTextContents()).join('\n');
      expect(code, path).not.toMatch(/api\.example|localhost:3000/);
    }
  });

  test('a form sends its Idempotency-Key, path and body, and the next forms have the ids of a created shipment', async ({
    page,
    open,
    errors,
    service,
  }) => {
    const account = await newAccount(service);
    await open('reference/createShipment');
    await page.getByLabel('API key').fill(account.key);
    const idempotencyKey = page.getByLabel('Idempotency-Key');
    const first = await idempotencyKey.inputValue();
    expect(first).not.toBe('');
    const send = page.getByRole('button', { name: 'Send POST request' });
    await send.click();
    await page.getByText('201 Created').waitFor();
    const second = await idempotencyKey.inputValue();
    expect(second).not.toBe(first);
    await send.click();
    await page.getByLabel('Response body').getByText('reference_taken').waitFor();
    expect(errors.splice(0).join()).toContain('409');
    expect([first, second]).not.toContain(await idempotencyKey.inputValue());
    await idempotencyKey.fill(first);
    await send.click();
    await page.getByText('Headers', { exact: true }).click();
    await page.getByLabel('Response headers').getByText('idempotent-replayed: true').waitFor();

    const [shipment] = (await account.client.listShipments()).data;
    expect(Date.parse(shipment?.pickup_window.start ?? '')).toBeGreaterThan(Date.now());
    await open('reference/getTracking');
    expect(await page.getByLabel('tracking_number').inputValue()).toBe(shipment?.tracking_number);
    await open('reference/cancelShipment');
    const id = page.getByLabel('shipment_id');
    expect(await id.inputValue()).toBe(shipment?.id);
    const other = await shipmentIn(account, 'dispatched');
    await id.fill(other.id);
    await page.getByRole('textbox', { name: 'Body' }).fill('{ "reason": "Sent by the form" }');
    await send.click();
    await page.getByText('200 OK').waitFor();
    expect(await page.getByLabel('Response body').textContent()).toContain('"status": "cancelled"');
    const cancelled = await account.client.getShipment({ shipment_id: other.id });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancellation_reason: 'Sent by the form' });
  });

  test('the form of putProofFile has the token of the upload that was created before', async ({
    page,
    open,
    service,
  }) => {
    const account = await newAccount(service);
    const { tracking_number } = await shipmentIn(account, 'in_transit');
    await open('reference/createProofUpload');
    await page.getByLabel('API key').fill(account.key);
    await page.getByLabel('tracking_number').fill(tracking_number);
    await page.getByRole('button', { name: 'Send POST request' }).click();
    await page.getByText('201 Created').waitFor();
    const { upload_url } = JSON.parse((await page.getByLabel('Response body').textContent()) ?? '');
    await open('reference/putProofFile');
    const token = await page.getByLabel('upload_token').inputValue();
    expect(token).not.toBe('');
    expect(upload_url).toMatch(new RegExp(`/${token}$`));
  });

  test('the sidebar shows the link to the operation of the page', async ({ page, open }) => {
    await page.setViewportSize({ width: 1280, height: 600 });
    await open('reference/getProofFile');
    const link = page.locator('.VPSidebar').getByRole('link', { name: 'Download a file' });
    await vi.waitFor(async () => {
      const { top, bottom } = await edges(link);
      expect(top).toBeGreaterThan(0);
      expect(bottom).toBeLessThanOrEqual(600);
    }, waitTimeout);
  });

  test('the lifecycle page shows every status, and a diagram that fits into every window', async ({ page, open }) => {
    await open('lifecycle');
    await page.getByRole('img').waitFor();
    for (const status of Object.keys(statuses)) {
      await page.getByRole('cell', { name: status, exact: true }).first().waitFor();
    }
    const parts = page.getByRole('figure').locator('path, text');
    expect(await parts.count()).toBeGreaterThan(12);
    for (const window of [phone, { width: 1024, height: 768 }, laptop]) {
      await page.setViewportSize(window);
      const figure = await edges(page.getByRole('figure'));
      for (const part of await parts.all()) {
        const { left, top, right, bottom } = await edges(part);
        expect(left).toBeGreaterThanOrEqual(figure.left);
        expect(top).toBeGreaterThanOrEqual(figure.top);
        expect(right).toBeLessThanOrEqual(figure.right);
        expect(bottom).toBeLessThanOrEqual(figure.bottom);
      }
      expect(figure.right).toBeLessThanOrEqual(window.width);
    }
  });

  test('the form of an operation is beside its parameters, above the responses', async ({ page, open }) => {
    await page.setViewportSize(laptop);
    await open('reference/createShipment');
    const form = await edges(page.getByRole('form', { name: 'Try it' }));
    const fields = await edges(page.getByRole('heading', { name: 'Request body' }));
    const response = await edges(page.getByText('Response 201', { exact: true }).last());
    expect(form.left).toBeGreaterThan(fields.right);
    expect(form.bottom).toBeLessThan(response.top);
  });
});
