import type { ProofOfDeliveryRequest } from '@waybill/client';
import { expect } from 'vitest';
import {
  applyTransition,
  inTransit,
  proofFor,
  shipmentRequest,
  transitionsTo,
  upload,
} from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

/** What a proof of delivery says of the signature. */
type Signing = Omit<ProofOfDeliveryRequest, 'delivered_at' | 'location'>;

const location = { lat: 47.6588, lng: -117.426 };

test('an unattended delivery has photos, and neither a name nor a signature', async ({
  account: { client, events },
}) => {
  const { tracking_number } = await inTransit({ client });
  const delivered_at = new Date().toISOString();
  const photos = [await upload({ client }, tracking_number, 'photo')];
  const earlier = (await events()).length;
  const submitted = await client.submitProofOfDelivery({
    tracking_number,
    delivered_at,
    unattended: true,
    photos,
    location,
  });
  const expected = { tracking_number, delivered_at, unattended: true, photos: [expect.any(String)], location };
  expect(submitted).toEqual(expected);
  expect(await client.getProofOfDelivery({ tracking_number })).toEqual(expected);
  expect((await fetch(submitted.photos[0] ?? '')).headers.get('content-type')).toBe('image/png');
  expect(await client.getTracking({ tracking_number })).toMatchObject({ status: 'delivered' });
  expect((await events()).slice(earlier).map(({ type }) => type)).toEqual([
    'tracking.status_reached',
    'proof_of_delivery.submitted',
  ]);
});

test('a signed delivery does not say that it was unattended', async ({ account: { client } }) => {
  const { tracking_number } = await inTransit({ client });
  const proof = await proofFor({ client }, tracking_number);
  const submitted = await client.submitProofOfDelivery({ tracking_number, ...proof, unattended: false });
  expect(Object.keys(submitted).sort()).toEqual(
    ['delivered_at', 'location', 'photos', 'signature_url', 'signed_by', 'tracking_number'].sort(),
  );
  const read = await client.getProofOfDelivery({ tracking_number });
  expect(Object.keys(read).sort()).toEqual(Object.keys(submitted).sort());
});

test('a proof has a name and a signature, or is unattended with a photo', async ({ account: { client } }) => {
  const { tracking_number } = await inTransit({ client });
  const { signed_by, signature, photos, delivered_at } = await proofFor({ client }, tracking_number);
  const required = (name: string) => ({ in: 'body', pointer: `/${name}`, code: 'required' });
  const forbidden = (name: string) => ({ in: 'body', pointer: `/${name}`, code: 'not_allowed' });
  const cases: [Signing, object[]][] = [
    [{}, [required('signed_by'), required('signature')]],
    [{ photos }, [required('signed_by'), required('signature')]],
    [{ signed_by, photos }, [required('signature')]],
    [{ signature, unattended: false }, [required('signed_by')]],
    [{ unattended: true }, [required('photos')]],
    [{ unattended: true, photos: [] }, [{ in: 'body', pointer: '/photos', code: 'too_short' }]],
    [{ unattended: true, photos, signed_by }, [forbidden('signed_by')]],
    [{ unattended: true, signed_by, signature }, [forbidden('signed_by'), forbidden('signature'), required('photos')]],
  ];
  for (const [proof, errors] of cases) {
    const submit = client.submitProofOfDelivery({ tracking_number, delivered_at, location, ...proof });
    const refused = { status: 400, code: 'invalid_request', problem: { errors } };
    await expect(submit, JSON.stringify(proof)).rejects.toMatchObject(refused);
  }
  expect(await client.getTracking({ tracking_number })).toMatchObject({ status: 'in_transit' });
  await client.submitProofOfDelivery({ tracking_number, delivered_at, location, unattended: true, photos });
});

test('the shipper forbids an unattended delivery, also by a change', async ({ account: { client } }) => {
  for (const isAtCreation of [true, false]) {
    const shipment = await client.createShipment({ ...shipmentRequest(), signature_required: isAtCreation });
    const { id: shipment_id, tracking_number } = shipment;
    if (!isAtCreation) await client.updateShipment({ shipment_id, signature_required: true });
    for (const step of transitionsTo('in_transit')) await applyTransition({ client }, shipment, step);
    const proof = await proofFor({ client }, tracking_number);
    const { photos, delivered_at } = proof;
    const unattended = { tracking_number, delivered_at, location, unattended: true, photos };
    const refused = { status: 409, code: 'signature_required' };
    await expect(client.submitProofOfDelivery(unattended)).rejects.toMatchObject(refused);
    expect(await client.getTracking({ tracking_number })).toMatchObject({ status: 'in_transit' });
    // The files are still unused.
    await client.submitProofOfDelivery({ tracking_number, ...proof });
  }
});

test('of a shipment that cannot be delivered, the status is reported first', async ({ account: { client } }) => {
  const shipment = await client.createShipment({ ...shipmentRequest(), signature_required: true });
  const { tracking_number } = shipment;
  const photos = [await upload({ client }, tracking_number, 'photo')];
  const delivered_at = new Date().toISOString();
  const submit = client.submitProofOfDelivery({ tracking_number, delivered_at, location, unattended: true, photos });
  await expect(submit).rejects.toMatchObject({ code: 'invalid_transition' });
});
