import type { Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { isLong } from '../fixtures/long-form.ts';
import { violationsOn } from '../fixtures/programs/accessibility.ts';
import { chromiumMissing, hasChromium } from '../fixtures/programs/chromium.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { allPages, test as base } from './built-site.ts';

/**
 * `open` loads a page of the docs in `page`, until its buttons work. The test fails if the page logs an error or sends a
 * request elsewhere, unless it removes what it expects from `errors`.
 */
const test = base.extend<{ $test: { errors: string[]; page: Page; open: (path: string) => Promise<void> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  errors: ({}, use) => use([]),
  page: async ({ browser, service, errors }, use) => {
    const page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' });
    page.setDefaultTimeout(waitTimeout.timeout);
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.origin) errors.push(`request of ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} for ${response.url()}`);
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    await use(page);
    await page.close();
    expect(errors).toEqual([]);
  },
  open: ({ page, service }, use) =>
    use(async (path) => {
      await page.goto(`${service.origin}/docs/${path}`);
      // `waitForFunction` would evaluate text in the page again and again, which its Content-Security-Policy refuses.
      const isReady = "document.querySelector('#app').__vue_app__ !== undefined";
      await vi.waitFor(async () => expect(await page.evaluate(isReady)).toBe(true), waitTimeout);
    }),
});

const pages = isLong ? await allPages() : ['', 'reference/recordTrackingEvent', 'lifecycle'];

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

/**
 * What cannot be read: cells and code blocks that are partly outside of the text, or must be scrolled; words of tables on
 * two lines; code that is partly under its copy button.
 */
const unreadable = `(() => {
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const hidden = visible('.vp-doc td, .vp-doc th, .vp-doc pre').filter((element) => {
    const { left, right } = element.closest('.vp-doc').getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return box.left < left - 1 || box.right > right + 1 || element.scrollWidth > element.clientWidth + 1;
  });
  const broken = visible('.vp-doc td, .vp-doc th').flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) {
      for (const { 0: word, index } of walker.currentNode.nodeValue.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0.5).map(({ top }) => Math.round(top));
        if (new Set(lines).size > 1) words.push(word);
      }
    }
    return words;
  });
  const covered = visible('div[class*="language-"]').filter((block) => {
    const button = block.querySelector('button.copy').getBoundingClientRect();
    const code = block.querySelector('.line').getBoundingClientRect();
    return button.bottom > code.top && button.left < code.right;
  });
  const overflow = document.documentElement.scrollWidth > innerWidth ? ['The page scrolls sideways.'] : [];
  return [...overflow, ...broken, ...[...hidden, ...covered].map((element) => element.textContent)];
})()`;

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test.for(pages)('docs/%s is accessible in every mode, and readable in every window', async (path, { page, open }) => {
    await open(path);
    await expectAccessible(page);
    // A phone, a tablet, the narrowest window with a sidebar and the list of headings, a laptop and a large screen.
    for (const width of [390, 768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate<string[]>(unreadable), `in a window of ${width} px`).toEqual([]);
    }
    const hasCode = /^(guides\/mock|reference\/\w+)?$/.test(path);
    if (hasCode) expect(await page.locator('div[class*="language-"]:visible').count()).toBeGreaterThan(0);
  });

  test('a nonexistent page leads to the reference, and the search to an error code', async ({ page, open, errors }) => {
    await open('nothing');
    expect(errors.splice(0).join()).toMatch(/404 for .*\/docs\/nothing/);
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('idempotency_key_reused');
    await page.getByRole('link', { name: 'Idempotency key reused', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Idempotency key reused' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/errors/idempotency_key_reused');
  });

  test('an operation has its request and response in view, and opens the fields of a link', async ({ page, open }) => {
    const areShown = (...names: string[]) =>
      Promise.all(names.map((name) => page.locator(`#body-${name}`).isVisible()));
    for (const [width, maxHeight] of [
      [390, 8500],
      [768, 6500],
      [1440, 6000],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await open('reference/createShipment');
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(maxHeight);
      expect(await areShown('destination', 'destination-state')).toEqual([true, false]);
      if (width < 768) continue;
      for (const text of ['Request', 'Response 201'])
        expect((await page.locator('.side').getByText(text, { exact: true }).boundingBox())?.y, text).toBeLessThan(700);
    }
    await open('guides/changes');
    await page.getByRole('link', { name: 'its country requires' }).click();
    await page.locator('#body-destination-state').waitFor();
    expect(await areShown('origin-state')).toEqual([false]);
    await page.getByText('Required in 29 countries').nth(1).click();
    await page.getByText('Required in AS, AU, BR').nth(1).waitFor();
  });

  test('a button copies the Markdown of a page, and the search shows text', async ({ page, open, service }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('reference/createShipment');
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const markdown = await (await fetch(`${service.origin}/docs/reference/createShipment.md`)).text();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(markdown);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('detention');
    await page.locator('.excerpt mark').getByText('detention').waitFor();
    await page.getByRole('searchbox').fill('hazmat'); // in closed fields
    await page.locator('.excerpt details mark').first().waitFor();
  });

  test('pages have the URL of the service, with the path that its operator chose', async ({ page, open, service }) => {
    const servers = [{ url: 'https://api.example.net/freight/v1' }];
    await page.route('**/openapi.json', (route) => route.fulfill({ json: { servers } }));
    for (const path of ['', 'quickstart', 'reference/', 'reference/getTracking']) {
      await open(path);
      await page.getByText(`WAYBILL_URL=${service.origin}/freight/v1`).first().waitFor();
      const code = (await page.locator('pre code').allTextContents()).join('\n');
      expect(code, path).not.toMatch(/api\.example|localhost:3000/);
    }
  });

  test('the language that a reader chooses once is shown on all pages', async ({ page, open }) => {
    await open('reference/createShipment');
    await page.getByText('Python', { exact: true }).click();
    for (const path of ['reference/createShipment', 'reference/getTracking']) {
      await open(path);
      await page.getByText('client = Waybill()').waitFor();
      expect(await page.getByText('createClient()').isVisible()).toBe(false);
    }
  });

  test('forms send their values, and the next ones have the key and ids', async ({ page, open, errors, account }) => {
    const send = async (method: string, status: string) => {
      await page.getByRole('button', { name: `Send ${method} request` }).click();
      if (status) await page.getByText(status).first().waitFor();
      return page.getByLabel('Response body').textContent();
    };
    const inputOf = (label: string) => page.getByLabel(label).inputValue();

    await open('reference/createShipment');
    await page.getByLabel('API key').fill(account.key);
    const first = await inputOf('Idempotency-Key');
    await send('POST', '201 Created');
    const second = await inputOf('Idempotency-Key');
    await send('POST', '');
    await page.getByLabel('Response body').getByText('reference_taken').waitFor();
    expect(errors.splice(0).join()).toContain('409');
    expect(new Set(['', first, second, await inputOf('Idempotency-Key')]).size).toBe(4);
    await page.getByLabel('Idempotency-Key').fill(first);
    await send('POST', '201 Created');
    await page.getByText('Headers', { exact: true }).click();
    await page.getByLabel('Response headers').getByText('idempotent-replayed: true').waitFor();

    const [shipment] = (await account.client.listShipments()).data;
    expect(Date.parse(shipment?.pickup_window.start ?? '')).toBeGreaterThan(Date.now());
    await open('reference/createProofUpload');
    expect(await inputOf('tracking_number')).toBe(shipment?.tracking_number);
    const { upload_url } = JSON.parse((await send('POST', '201 Created')) ?? '');
    await open('reference/putProofFile');
    expect(await inputOf('upload_token')).toBe(upload_url.split('/').at(-1));
    const { id, tracking_number } = await shipmentIn(account, 'dispatched');
    await open('reference/cancelShipment');
    expect(await inputOf('shipment_id')).toBe(shipment?.id);
    await page.getByLabel('shipment_id').fill(id);
    await page.getByRole('textbox', { name: 'Body' }).fill('{ "reason": "Sent by the form" }');
    await send('POST', '200 OK');
    const cancelled = await account.client.getShipment({ shipment_id: id });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancellation_reason: 'Sent by the form' });
    await open('reference/listShipments');
    await page.getByLabel('status').fill('cancelled');
    expect(await send('GET', '200 OK')).toContain(tracking_number);
  });
});
