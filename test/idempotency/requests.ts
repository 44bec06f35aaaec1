import { operations } from '@waybill/contract/operations';
import { type OperationId, operationIds } from '../harness/contract.ts';
import { inTransit, newShipment, proofFor, shipmentIn, shipmentRequest } from '../harness/journeys.ts';
import type { TestAccount } from '../harness/test.ts';

type PostId = { [Id in OperationId]: (typeof operations)[Id]['method'] extends 'POST' ? Id : never }[OperationId];

export interface Ready {
  path: string;
  body: Record<string, unknown>;
}

export const newPosition = (): object => ({ lat: 47.6, lng: -122.3, updated_at: new Date().toISOString() });
const event = (status: string): Ready['body'] => ({ status, timestamp: new Date().toISOString() });
const tracking = (number: string, what: string): string => `/tracking/${number}/${what}`;

/** A request that will succeed, for every POST of the contract: one without a line here does not compile. */
const prepare: Record<PostId, (account: TestAccount) => Promise<Ready>> = {
  createShipment: async () => ({ path: '/shipments', body: { ...shipmentRequest() } }),
  cancelShipment: async (account) => {
    const { id } = await newShipment(account);
    return { path: `/shipments/${id}/cancel`, body: { reason: 'The consignee moved.' } };
  },
  recordTrackingEvent: async (account) => {
    const { tracking_number } = await newShipment(account);
    return { path: tracking(tracking_number, 'events'), body: event('dispatched') };
  },
  recordPositions: async (account) => {
    const { tracking_number } = await shipmentIn(account, 'dispatched');
    return { path: tracking(tracking_number, 'positions'), body: { positions: [newPosition()] } };
  },
  createProofUpload: async (account) => {
    const { tracking_number } = await newShipment(account);
    const body = { kind: 'photo', content_type: 'image/png', size: 70, sha256: 'a'.repeat(64) };
    return { path: tracking(tracking_number, 'pod/uploads'), body };
  },
  submitProofOfDelivery: async (account) => {
    const { tracking_number } = await inTransit(account);
    return { path: tracking(tracking_number, 'pod'), body: { ...(await proofFor(account, tracking_number)) } };
  },
};

export const posts = operationIds.filter((id): id is PostId => operations[id].method === 'POST');
export const ready = (id: PostId, account: TestAccount): Promise<Ready> => prepare[id](account);
