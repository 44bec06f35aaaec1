import { printEvents } from '@waybill/sandbox/live-events';
import { expect, vi } from 'vitest';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('printEvents prints later events of the account, a line each, until it is aborted', async ({
  service,
  account,
}) => {
  const earlier = await newShipment(account);
  const stop = new AbortController();
  const lines: string[] = [];
  const options = { baseUrl: service.baseUrl, apiKey: account.key };
  const printing = printEvents(options, stop.signal, (line) => lines.push(line));
  const created: string[] = [];
  // Until it has read the position of the last event, it is not known which events are later.
  await vi.waitFor(async () => {
    created.push((await newShipment(account)).tracking_number);
    expect(lines).not.toEqual([]);
  }, waitTimeout);
  stop.abort();
  await printing;
  expect(lines.join('\n')).not.toContain(earlier.tracking_number);
  expect(created.some((number) => lines[0]?.includes(number))).toBe(true);
  expect(lines[0]).toMatch(/\d\d:\d\d:\d\d.* {2}shipment\.created +scheduled$/);
});
