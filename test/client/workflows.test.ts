import { createClient, TimeoutError, UnreachableStatusError } from '@waybill/client';
import { expect } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { signatureUrl } from '../fixtures/requests/valid-requests.ts';
import { inTransit, newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

test('uploadProof sends the bytes of a view, a buffer and a Blob of any realm', async ({ account: { client } }) => {
  const { tracking_number } = await inTransit({ client });
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(uniquePng) as [Bytes, Bytes, Bytes, Bytes];
  const foreign = { type: 'image/png', size: fourth.length, arrayBuffer: async () => fourth.buffer } as unknown as Blob;
  const uploaded = await client.uploadProof({
    tracking_number,
    signature: new Uint8Array([0, ...first, 0]).subarray(1, -1),
    photos: [second.slice().buffer, new Blob([third], { type: 'text/plain' }), foreign],
  });
  const location = { lat: 47.6588, lng: -117.426 };
  const delivery = { tracking_number, delivered_at: new Date(), signed_by: 'Owen Castillo', location };
  const proof = await client.submitProofOfDelivery({ ...delivery, ...uploaded });
  const withoutKey = createClient({ apiKey: null });
  const files = [signatureUrl(proof), ...proof.photos].map((url) => withoutKey.getProofFile({ url }));
  const stored = await Promise.all(files.map(async (file) => [(await file).type, await (await file).bytes()]));
  expect(stored).toEqual([first, second, third, fourth].map((bytes) => ['image/png', bytes]));
});
type Bytes = Uint8Array<ArrayBuffer>;

test('uploadProof refuses a file without an image, uploadProofFile sends it', async ({ account: { client } }) => {
  const { tracking_number } = await newShipment({ client });
  const file = new Blob(['no image']);
  await expect(client.uploadProof({ tracking_number, signature: file })).rejects.toThrow(TypeError);
  const text = 'data:image/png;base64,AAAA' as unknown as Blob;
  await expect(client.uploadProof({ tracking_number, signature: text })).rejects.toThrow('must be a Blob or bytes');
  const declared = { tracking_number, kind: 'photo', file, content_type: 'image/png' } as const;
  await expect(client.uploadProofFile(declared)).rejects.toMatchObject({ code: 'file_mismatch' });
});

test('trackUntil polls with the ETag until the status is reached', async ({ service: { baseUrl }, account }) => {
  const { tracking_number } = await newShipment(account);
  const statuses: number[] = [];
  const client = createClient({
    baseUrl,
    apiKey: account.key,
    onResponse: ({ status }) => statuses.push(status),
    // The shipment changes only after a read has returned 304.
    fetch: async (request) => {
      const response = await fetch(request);
      const event = { tracking_number, timestamp: new Date() };
      if (response.status === 304 && statuses.length === 1)
        for (const status of ['dispatched', 'picked_up'] as const)
          await account.client.recordTrackingEvent({ ...event, status });
      return response;
    },
  });
  const reached = await client.trackUntil({ tracking_number, status: 'dispatched' }, { interval: 1 });
  expect(reached.timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
  expect(statuses).toEqual([200, 304, 200]);
});

test('trackUntil rejects when the status cannot be reached in time, or on abort', async ({ account: { client } }) => {
  const { id, tracking_number } = await newShipment({ client });
  const waitFor = (status: 'delivered' | 'cancelled', options: { timeout?: number; signal?: AbortSignal } = {}) =>
    client.trackUntil({ tracking_number, status }, { interval: 20, ...options }).catch((error) => error);
  expect(await waitFor('delivered', { timeout: 10 })).toBeInstanceOf(TimeoutError);
  const controller = new AbortController();
  const cause = new Error('enough');
  setImmediate(() => controller.abort(cause));
  expect(await waitFor('delivered', { signal: controller.signal })).toMatchObject({ name: 'AbortError', cause });
  await client.cancelShipment({ shipment_id: id, reason: 'No truck.' });
  const error = await waitFor('delivered');
  expect(error).toBeInstanceOf(UnreachableStatusError);
  expect(error).toMatchObject({
    message: `trackUntil: ${tracking_number} is cancelled, not delivered, and cannot reach it any more`,
    tracking: { status: 'cancelled' },
    operation: 'getTracking',
  });
  expect(await waitFor('cancelled')).toMatchObject({ status: 'cancelled' });
});
