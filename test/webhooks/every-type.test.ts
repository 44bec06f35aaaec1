import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect, vi } from 'vitest';
import { inTransit, newShipment, proofFor } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { createEndpoint, eventOf, test } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

test('a webhook receives every type of event that the contract has', async ({ account }) => {
  const { client } = account;
  await using receiver = await startReceiver();
  await using gone = await startReceiver(410);
  const { path } = await createEndpoint(account, receiver.url);
  await client.sendTestWebhook(path);
  const { id: shipment_id } = await newShipment(account);
  await client.updateShipment({ shipment_id, notes: 'Dock 4.' });
  await client.cancelShipment({ shipment_id, reason: 'No truck.' });
  const { tracking_number } = await inTransit(account);
  const now = new Date();
  const positions = [{ lat: 47.1, lng: -122.2, updated_at: now }];
  await client.recordPositions({ tracking_number, positions, eta: new Date(now.getTime() + 3_600_000) });
  const { id: exception_id } = await client.raiseException({
    tracking_number,
    code: 'traffic_delay',
    occurred_at: now,
  });
  await client.resolveException({ tracking_number, exception_id, resolved_at: now });
  await client.submitProofOfDelivery({ tracking_number, ...(await proofFor(account, tracking_number)) });
  await createEndpoint(account, gone.url, ['shipment.created']);
  await newShipment(account);
  const types = document.components.schemas.EventType.enum;
  await vi.waitFor(
    () =>
      expect([...new Set(receiver.received.map((request) => eventOf(request).type))].sort()).toEqual(types.toSorted()),
    waitTimeout,
  );
});
