import type { ProofOfDeliveryRequest } from '@waybill/client';
import { expect } from 'vitest';
import { inTransit, proofFor } from '../../fixtures/shipments.ts';
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
