import { createClient } from '@waybill/client';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { targets, test } from './targets.ts';

describe.each(targets)('%s', (target) => {
  test('the token of an access uses one shipment, within its scopes and its detail', async ({ open }) => {
    const { baseUrl, client, create } = await open(target);
    const { id: shipment_id, tracking_number } = await create();
    const location = { lat: 47.5, lng: -122.3, address: 'Moses Lake' };
    const event = { tracking_number, status: 'dispatched', timestamp: new Date(), location } as const;
    await client.recordTrackingEvent({ ...event, description: 'Left the yard' });
    const access = await client.createAccess({ shipment_id, scopes: ['tracking:read', 'events:read'] });
    const restricted = createClient({ baseUrl, accessToken: access.token, maxRetries: 0 });
    const { current_location, timeline } = await restricted.getTracking({ tracking_number });
    expect([current_location, timeline.at(-1)?.description]).toEqual([null, 'Driver assigned']);
    for (const [call, code] of [
      [() => restricted.getShipment({ shipment_id }), 'insufficient_scope'],
      [() => restricted.listPositions({ tracking_number }), 'insufficient_scope'],
      [() => restricted.listAccesses({ shipment_id }), 'insufficient_scope'],
      [() => restricted.listEvents(), 'insufficient_scope'],
      [() => restricted.getTracking({ tracking_number: 'FRT-2026-000142' }), 'not_found'],
    ] as const)
      await expect(call()).rejects.toMatchObject({ code });

    await vi.waitFor(async () => {
      const stream = await get({ baseUrl }, { key: access.token }, '/events/stream');
      await client.recordPositions({ tracking_number, positions: [{ ...location, updated_at: new Date() }] });
      const report = { tracking_number, code: 'traffic_delay', occurred_at: new Date(), location } as const;
      await client.raiseException(report);
      const text = await stream.text(); // on a busy machine it ends before the event
      expect(text).not.toMatch(/^id: |location_changed|Moses/m);
      expect(text).toContain('event: tracking.exception_raised\ndata: {');
    }, waitTimeout);

    const path = { shipment_id, access_id: access.id };
    const { token: _, ...listed } = access;
    expect((await client.listAccesses({ shipment_id })).data).toEqual([listed]);
    const { id: other } = await client.createShipment(shipmentRequest());
    const refused = { code: 'not_found' };
    await expect(client.deleteAccess({ ...path, shipment_id: other })).rejects.toMatchObject(refused);
    expect((await get({ baseUrl }, { key: access.token }, `/tracking/${tracking_number}`)).status).toBe(200);
    await client.deleteAccess(path);
    await expect(client.deleteAccess(path)).rejects.toMatchObject({ code: 'not_found' });
    await vi.waitFor(async () => {
      const response = await get({ baseUrl }, { key: access.token }, `/tracking/${tracking_number}`);
      expect(await problemOf(response)).toMatchObject({
        code: 'unauthenticated',
        detail: expect.stringMatching(/revoked/),
      });
    }, waitTimeout);
  });
});

test('the mock returns 401 for the token of an expired access', async ({ open }) => {
  const { baseUrl, client, create } = await open('the mock with state');
  const { id: shipment_id } = await create();
  const expires_at = new Date(Date.now() + 60_000);
  const { token } = await client.createAccess({ shipment_id, scopes: ['shipments:read'], expires_at });
  const read = () => get({ baseUrl }, { key: token }, `/shipments/${shipment_id}`);
  expect((await read()).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: expires_at });
  onTestFinished(() => void vi.useRealTimers());
  expect(await problemOf(await read())).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    detail: expect.stringContaining('expired'),
  });
  expect((await client.listAccesses({ shipment_id })).data).toEqual([]);
});
