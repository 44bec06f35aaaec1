import { createClient, type ShipmentStatus, TimeoutError, UnreachableStatusError } from '@waybill/client';
import { expect } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { signatureUrl } from '../fixtures/requests.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const location = { lat: 47.6588, lng: -117.426 };

test('uploadProof uploads a signature and photos for submitProofOfDelivery', async ({ account: { client } }) => {
  const { tracking_number } = await shipmentIn({ client }, 'in_transit');
  const photos = [new Blob([new Uint8Array(uniquePng('a'))], { type: 'text/plain' }), uniquePng('b')];
  const uploaded = await client.uploadProof({ tracking_number, signature: uniquePng('signature'), photos });
  expect(uploaded).toEqual({
    signature: expect.stringMatching(/^upl_/),
    photos: [expect.stringMatching(/^upl_/), expect.stringMatching(/^upl_/)],
  });
  const proof = await client.submitProofOfDelivery({
    tracking_number,
    delivered_at: new Date(),
    signed_by: 'Owen Castillo',
    location,
    ...uploaded,
  });
  const file = await createClient({ apiKey: null }).getProofFile({ url: signatureUrl(proof) });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(uniquePng('signature')));
  expect(file.type).toBe('image/png');
});

test('uploadProof sends the bytes of a view, a buffer and a Blob of another realm', async ({ account: { client } }) => {
  const { tracking_number } = await shipmentIn({ client }, 'in_transit');
  const files = ['view', 'buffer', 'blob'].map((name) => Uint8Array.from(uniquePng(name)));
  const [first, second, third] = files as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
  const view = new Uint8Array([0, ...first, 0]).subarray(1, -1);
  const blob = { type: 'image/png', size: third.length, arrayBuffer: async () => third.buffer } as unknown as Blob;
  const uploaded = await client.uploadProof({ tracking_number, signature: view, photos: [second.buffer, blob] });
  const delivery = { delivered_at: new Date(), signed_by: 'Owen Castillo', location };
  const proof = await client.submitProofOfDelivery({ tracking_number, ...delivery, ...uploaded });
  for (const [index, url] of [signatureUrl(proof), ...proof.photos].entries()) {
    expect(Buffer.from(await (await client.getProofFile({ url })).arrayBuffer())).toEqual(
      Buffer.from(files[index] ?? []),
    );
  }
  const text = 'data:image/png;base64,AAAA' as unknown as Blob;
  await expect(client.uploadProof({ tracking_number, signature: text })).rejects.toThrow('must be a Blob or bytes');
});

test('uploadProof refuses a file without an image, uploadProofFile sends it', async ({ account: { client } }) => {
  const { tracking_number } = await shipmentIn({ client }, 'in_transit');
  const text = new Blob(['no image']);
  await expect(client.uploadProof({ tracking_number, signature: text })).rejects.toThrow(TypeError);
  const declared = { tracking_number, kind: 'photo', file: text, content_type: 'image/png' } as const;
  await expect(client.uploadProofFile(declared)).rejects.toMatchObject({ code: 'file_mismatch' });
});

test('trackUntil polls with the ETag until the status is reached', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const statuses: number[] = [];
  const record = (status: 'dispatched' | 'picked_up') =>
    account.client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    onResponse: ({ status }) => statuses.push(status),
    // The shipment changes only after a read has returned 304.
    fetch: async (request) => {
      const response = await fetch(request);
      if (response.status === 304 && statuses.length === 1) await record('dispatched').then(() => record('picked_up'));
      return response;
    },
  });
  const reached = await client.trackUntil({ tracking_number, status: 'dispatched' }, { interval: 1 });
  expect(reached.timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  expect(statuses).toEqual([200, 304, 200]);
});

test('trackUntil rejects when the status cannot be reached, or not in time', async ({ account: { client } }) => {
  const { id, tracking_number } = await newShipment({ client });
  const waitFor = (status: 'delivered' | 'cancelled', timeout?: number) =>
    client.trackUntil({ tracking_number, status }, { interval: 20, timeout }).catch((error) => error);
  const late = await waitFor('delivered', 10);
  expect(late).toBeInstanceOf(TimeoutError);
  await client.cancelShipment({ shipment_id: id, reason: 'No truck.' });
  const error = await waitFor('delivered');
  expect(error).toBeInstanceOf(UnreachableStatusError);
  expect(error).toMatchObject({
    message: `trackUntil: ${tracking_number} is cancelled, not delivered, and cannot reach it any more`,
    tracking: { status: 'cancelled' satisfies ShipmentStatus },
    operation: 'getTracking',
  });
  expect(await waitFor('cancelled')).toMatchObject({ status: 'cancelled' });
});

test('trackUntil ends at once when the caller aborts', async ({ account: { client } }) => {
  const { tracking_number } = await newShipment({ client });
  const controller = new AbortController();
  const reason = new Error('enough');
  const waiting = client.trackUntil({ tracking_number, status: 'delivered' }, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: reason });
});
