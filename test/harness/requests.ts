import { createHash } from 'node:crypto';
import type { components } from '@waybill/contract/types';
import type { OperationId } from './contract.ts';
import { uniquePng } from './images.ts';
import { inTransit, newShipment, proofFor, shipmentIn, shipmentRequest } from './journeys.ts';
import type { TestAccount } from './test.ts';

type Who = Pick<TestAccount, 'client'>;
type FileType = components['schemas']['ProofUploadRequest']['content_type'];

/** A request in the state that it needs. */
export interface Ready {
  path: Record<string, string>;
  /** JSON; without one for a read and for a file. */
  body?: Record<string, unknown>;
  file?: { type: string; bytes: Uint8Array<ArrayBuffer> };
}

export const newPosition = (): components['schemas']['PositionReport'] => ({
  lat: 47.6,
  lng: -122.3,
  updated_at: new Date().toISOString(),
});

/** What is said of a file before its bytes are sent. */
export const declarationOf = (
  bytes: Uint8Array,
  content_type: FileType = 'image/png',
): components['schemas']['ProofUploadRequest'] => ({
  kind: 'photo',
  content_type,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

export const tokenOf = (url: string): string => url.split('/').at(-1) ?? '';

/** Declares a file on a new shipment and answers the request that brings its bytes. */
export async function readyFile(
  { client }: Who,
  bytes = uniquePng(crypto.randomUUID()),
  type: FileType = 'image/png',
): Promise<Required<Pick<Ready, 'path' | 'file'>>> {
  const { tracking_number } = await newShipment({ client });
  const { data } = await client.createProofUpload({ path: { tracking_number }, body: declarationOf(bytes, type) });
  return { path: { upload_token: tokenOf(data.upload_url) }, file: { type, bytes } };
}

/** The path values of a shipment, whichever of them an operation takes. */
async function pathOf(
  shipment: ReturnType<typeof newShipment>,
): Promise<{ shipment_id: string; tracking_number: string }> {
  const { id, tracking_number } = await shipment;
  return { shipment_id: id, tracking_number };
}

/** A request that will succeed, for every operation of the contract: one without a line here does not compile. */
const prepare: Record<OperationId, (who: Who) => Promise<Ready>> = {
  listShipments: async () => ({ path: {} }),
  createShipment: async () => ({ path: {}, body: { ...shipmentRequest() } }),
  getShipment: async (who) => ({ path: await pathOf(newShipment(who)) }),
  cancelShipment: async (who) => ({ path: await pathOf(newShipment(who)), body: { reason: 'The consignee moved.' } }),
  getTracking: async (who) => ({ path: await pathOf(newShipment(who)) }),
  recordTrackingEvent: async (who) => ({
    path: await pathOf(newShipment(who)),
    body: { status: 'dispatched', timestamp: new Date().toISOString() },
  }),
  listPositions: async (who) => ({ path: await pathOf(newShipment(who)) }),
  recordPositions: async (who) => ({
    path: await pathOf(shipmentIn(who, 'dispatched')),
    body: { positions: [newPosition()] },
  }),
  getProofOfDelivery: async (who) => ({ path: await pathOf(shipmentIn(who, 'delivered')) }),
  submitProofOfDelivery: async (who) => {
    const path = await pathOf(inTransit(who));
    return { path, body: { ...(await proofFor(who, path.tracking_number)) } };
  },
  createProofUpload: async (who) => ({
    path: await pathOf(newShipment(who)),
    body: { ...declarationOf(uniquePng('')) },
  }),
  putProofFile: readyFile,
  getProofFile: async (who) => {
    const path = await pathOf(shipmentIn(who, 'delivered'));
    const { data } = await who.client.getProofOfDelivery({ path });
    return { path: { file_token: tokenOf(data.signature_url) } };
  },
};

export const ready = (id: OperationId, who: Who): Promise<Ready> => prepare[id](who);
