import { keysAreValid } from '@waybill/sandbox/demo-account';
import { keyPresets } from '@waybill/server/auth/keys';
import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';

test('start replaces demo keys that are unknown, and keys of an earlier release without newer scopes', async ({
  service,
  account,
}) => {
  const settings = { localUrl: service.origin, baseUrl: service.baseUrl };
  const areValid = (api_key: string, carrier_api_key: string) =>
    keysAreValid({ account_id: account.id, api_key, carrier_api_key }, settings);
  const dispatcher = await account.keyWith(keyPresets.dispatcher);
  const carrier = await account.keyWith(keyPresets.carrier);
  const earlier = await account.keyWith(keyPresets.shipper);
  const withoutEvents = await account.keyWith(keyPresets.dispatcher.filter((scope) => scope !== 'events:read'));
  const unknown = `${dispatcher.slice(0, -4)}AAAA`;
  const found = [];
  for (const key of [dispatcher, earlier, withoutEvents, unknown]) found.push(await areValid(key, carrier));
  expect([...found, await areValid(dispatcher, unknown)]).toEqual([true, false, false, false, false]);
});
