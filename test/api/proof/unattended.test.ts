import type { ProofOfDeliveryRequest } from '@waybill/client';
import { expect } from 'vitest';
import { stepsTo } from '../../fixtures/contract/lifecycle.ts';
import { inTransit, newShipment, proofFor, record, upload } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

test('a proof has a name and a signature, or is unattended with a photo', async ({ account: { client, events } }) => {
  const { tracking_number } = await inTransit({ client });
  const { signed_by, signature, photos, delivered_at } = await proofFor({ client }, tracking_number);
  const path = { tracking_number };
  const submit = (proof: Omit<ProofOfDeliveryRequest, 'delivered_at' | 'location'>) =>
    client.submitProofOfDelivery({ ...path, delivered_at, ...proof });
  for (const [proof, ...refused] of [
    [{}, 'signed_by required', 'signature required'],
    [{ signed_by, photos }, 'signature required'],
    [{ signature, unattended: false }, 'signed_by required'],
    [{ unattended: true }, 'photos required'],
    [{ unattended: true, photos: [] }, 'photos too_short'],
    [{ unattended: true, photos, signed_by }, 'signed_by not_allowed'],
    [{ unattended: true, signed_by, signature }, 'signed_by not_allowed', 'signature not_allowed', 'photos required'],
  ] as [object, ...string[]][]) {
    const errors = refused
      .map((each) => each.split(' '))
      .map(([name, code]) => ({ in: 'body', pointer: `/${name}`, code }));
    await expect(submit(proof), refused.join()).rejects.toMatchObject({ status: 400, code: 'invalid_request', errors });
  }
  const earlier = (await events()).length;
  const submitted = await submit({ unattended: true, photos });
  expect(submitted).toEqual({
    ...path,
    status: 'delivered',
    delivered_at,
    unattended: true,
    photos: [expect.any(String)],
  });
  expect(await client.getProofOfDelivery(path)).toEqual(submitted);
  const types = (await events()).slice(earlier).map(({ type }) => type);
  expect(types).toEqual(['tracking.status_reached', 'proof_of_delivery.submitted']);
});

test('the shipper forbids an unattended delivery, at creation or by a change', async ({ account: { client } }) => {
  for (const signature_required of [true, false]) {
    const shipment = await newShipment({ client }, { signature_required });
    const path = { tracking_number: shipment.tracking_number };
    if (!signature_required) await client.updateShipment({ shipment_id: shipment.id, signature_required: true });
    const { signed_by: _, signature: __, ...unsigned } = await proofFor({ client }, shipment.tracking_number);
    const unattended = () => client.submitProofOfDelivery({ ...path, ...unsigned, unattended: true });
    for (const step of stepsTo('in_transit')) await record({ client }, shipment, step);
    await expect(unattended()).rejects.toMatchObject({ status: 409, code: 'signature_required' });
    const signature = await upload({ client }, shipment.tracking_number, 'signature');
    // The files are still unused.
    await client.submitProofOfDelivery({ ...path, ...unsigned, signed_by: 'Owen Castillo', signature });
  }
});
