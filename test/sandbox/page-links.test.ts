import { createClient } from '@waybill/client';
import { linkOf } from '@waybill/pages/driver/queue';
import { printBoardLink, printPageLinks } from '@waybill/sandbox/page-links';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../fixtures/database-url.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('printPageLinks prints a link of the page of a driver and one of the tracking page', async ({
  service,
  account,
}) => {
  const lines: string[] = [];
  const options = { baseUrl: service.baseUrl, apiKey: account.key };
  const printing = printPageLinks(options, new AbortController().signal, (line) => lines.push(line));
  await vi.waitFor(() => expect(lines).toHaveLength(1), waitTimeout);
  const { tracking_number } = await shipmentIn(account, 'picked_up');
  await printing;

  const [driver = '', tracking = ''] = lines.map((line) => line.split(/ +/).at(-1));
  expect((await fetch(driver)).status).toBe(200);
  const [waiting] = (await account.client.listShipments({ status: ['scheduled'] })).data;
  const link = linkOf(new URL(driver).hash);
  expect(link?.shipmentId).toBe(waiting?.id);
  const ofDriver = createClient({ baseUrl: service.baseUrl, accessToken: link?.token });
  const own = { tracking_number: waiting?.tracking_number ?? '' };
  await ofDriver.recordTrackingEvent({ ...own, status: 'dispatched', timestamp: new Date() });
  expect(await (await fetch(tracking)).text()).toContain(tracking_number);
});

test('printBoardLink prints a link of the board with a key that reads the account for a day', async ({
  service,
  account,
}) => {
  const lines: string[] = [];
  const env = { ...process.env, DATABASE_URL: databaseUrl(), BASE_URL: service.baseUrl };
  await printBoardLink(env, account.id, (line) => lines.push(line));
  const [, page = '', apiKey] = /^Board +(.*)#(.*)$/.exec(lines.join('\n')) ?? [];
  expect(await (await fetch(page)).text()).toContain('<title>Board');
  await shipmentIn(account, 'scheduled');
  const client = createClient({ baseUrl: service.baseUrl, apiKey });
  expect((await client.listShipments({ include: 'tracking' })).data).toHaveLength(1);
});
