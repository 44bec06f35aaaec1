import { createClient } from '@waybill/client';
import { setOff } from '@waybill/docs/samples/events.ts';
import { cancelAll } from '@waybill/docs/samples/limits.ts';
import { numbersOnTheirWay, page } from '@waybill/docs/samples/lists.ts';
import { follow } from '@waybill/docs/samples/polling.ts';
import { report } from '@waybill/docs/samples/positions.ts';
import { deliver } from '@waybill/docs/samples/proof.ts';
import { book } from '@waybill/docs/samples/repeating.ts';
import { expect } from 'vitest';
import { uniquePng } from '../harness/images.ts';
import { shipmentRequest } from '../harness/journeys.ts';
import { test } from '../harness/test.ts';

test('the samples of the guides do what they say', async ({ service, account }) => {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key });
  const order = { number: 'PO-1', request: shipmentRequest() };
  const number = await book(client, order);
  expect(await book(client, order)).toBe(number);
  const { data } = await page(client);
  expect(data).toHaveLength(1);

  const seen: string[] = [];
  const following = (async () => {
    for await (const { status } of follow(client, number, { every: 20 })) seen.push(status);
  })();
  await setOff(client, number);
  expect(await numbersOnTheirWay(client)).toEqual([number]);
  await report(
    client,
    number,
    Array.from({ length: 250 }, (_, n) => ({ lat: 47, lng: n / 100, updated_at: new Date(1.7e12 + n).toISOString() })),
    new Date().toISOString(),
  );
  const image = (name: string) => new Blob([new Uint8Array(uniquePng(name))], { type: 'image/png' });
  await deliver(client, number, 'Owen Castillo', { signature: image('signature'), photo: image('photo') });
  await following;
  expect(seen.at(-1)).toBe('delivered');
  expect(await cancelAll(client, [data[0]?.id ?? ''], 'Called off.')).toEqual([data[0]?.id]);
});
