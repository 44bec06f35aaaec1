import { keyPresets } from '@waybill/server/auth/key-presets';
import { keysAreValid } from '@waybill/tools/start/demo-account';
import type { Settings } from '@waybill/tools/start/settings';
import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';

test('start replaces demo keys that are unknown, and keys of an earlier release without newer scopes', async ({
  service,
  account,
}) => {
  const settings = { localUrl: service.origin, baseUrl: service.baseUrl } as Settings;
  const areValid = (api_key: string, carrier_api_key: string) =>
    keysAreValid({ account_id: account.id, api_key, carrier_api_key }, settings);
  const shipper = await account.keyWith(keyPresets.shipper);
  const carrier = await account.keyWith(keyPresets.carrier);
  const earlier = await account.keyWith(keyPresets.shipper.filter((scope) => scope !== 'events:read'));
  const unknown = `${shipper.slice(0, -4)}AAAA`;
  const found = [];
  for (const key of [shipper, earlier, unknown]) found.push(await areValid(key, carrier));
  expect([...found, await areValid(shipper, unknown)]).toEqual([true, false, false, false]);
});
