import type { OperationId } from '../../fixtures/contract/contract.ts';
import { type Ready, ready } from '../../fixtures/requests/valid-requests.ts';
import { shipmentIn, upload } from '../../fixtures/shipments.ts';
import type { TestAccount } from '../../fixtures/test.ts';

type Who = Pick<TestAccount, 'client'>;

/** What exists before a request, so that only the values of the request decide whether it succeeds. */
export interface Prepared extends Pick<Ready, 'path' | 'file'> {
  /** Fields of the body that depend on what exists. A list may be any part of this one. */
  body: Record<string, unknown>;
}

/** Fields of the body of `ready` that another value would not fit; undefined for a field that would change others. */
const dependent: Partial<Record<OperationId, string[]>> = {
  recordTrackingEvent: ['status'],
  raiseException: ['photos'],
  submitProofOfDelivery: ['signature', 'photos', 'items', 'unattended', 'handover_code'],
  createProofUpload: ['kind'],
  addDocument: ['upload_id', 'delivered_at'],
  createAccess: ['kind', 'expires_at'],
  createWebhookEndpoint: ['url'],
  updateWebhookEndpoint: ['url'],
};

const prepareOther: Partial<Record<OperationId, (who: Who, photos: number) => Promise<Ready>>> = {
  // The exception happened before any valid time of its end.
  resolveException: async (who) => {
    const { tracking_number } = await shipmentIn(who, 'dispatched');
    const occurred_at = '1000-01-02T00:00:00Z';
    const { id } = await who.client.raiseException({ tracking_number, code: 'closed', occurred_at });
    return { path: { tracking_number, exception_id: id } };
  },
  // Of every type, so that it proves no delivery.
  addDocument: async (who) => {
    const { path, body } = await ready('addDocument', who);
    return { path, body: { ...body, delivered_at: undefined } };
  },
  // It may be of every type, and as large as any file.
  createProofUpload: async (who) => {
    const { tracking_number } = await shipmentIn(who, 'scheduled');
    return { path: { tracking_number }, body: { kind: 'document' } };
  },
  submitProofOfDelivery: async (who, count) => {
    const { path, body } = await ready('submitProofOfDelivery', who);
    const photos = Array.from({ length: count }, () => upload(who, path.tracking_number ?? '', 'photo'));
    return { path, body: { ...body, photos: await Promise.all(photos), unattended: undefined } };
  },
};

/** @param photos that a proof of delivery may have */
export async function prepare(id: OperationId, who: Who, photos = 10): Promise<Prepared> {
  const { path, body = {}, file } = await (prepareOther[id]?.(who, photos) ?? ready(id, who));
  return {
    path,
    body: Object.fromEntries((dependent[id] ?? []).map((name) => [name, body[name]])),
    ...(file && { file }),
  };
}
