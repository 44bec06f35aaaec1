import { randomUUID } from 'node:crypto';
import type { CallOptions, Client, Schemas } from '@waybill/client';
import type { ClientResponse, Write } from './writes.ts';

/** The clients of the two parties. */
export interface Parties {
  shipper: Client;
  carrier: Client;
}

type TrackingPath = { tracking_number: Schemas['TrackingNumber'] };
type Send<Data> = (options: CallOptions) => Promise<ClientResponse<Data>>;

/** Creates writes for one shipment, each with a new idempotency key. */
export interface Requests {
  create(body: Schemas['ShipmentRequest']): Write<Schemas['Shipment']>;
  cancel(path: { shipment_id: Schemas['ShipmentId'] }, reason: string): Write<Schemas['Shipment']>;
  event(path: TrackingPath, body: Schemas['TrackingEventRequest']): Write<Schemas['TrackingStatus']>;
  positions(path: TrackingPath, body: Schemas['PositionsRequest']): Write<Schemas['TrackingStatus']>;
  upload(path: TrackingPath, kind: Schemas['FileKind'], file: Uint8Array): Write<Schemas['UploadId']>;
  proof(path: TrackingPath, body: Schemas['ProofOfDeliveryRequest']): Write<Schemas['ProofOfDelivery']>;
}

export function requests({ shipper, carrier }: Parties, reference: string): Requests {
  const write = <Data>(operation: string, input: Pick<Write, 'path' | 'body'>, send: Send<Data>): Write<Data> => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const key = headers['Idempotency-Key'];
    return { operation, reference, ...input, key, send: (options) => send({ ...options, headers }) };
  };
  return {
    create: (body) => write('createShipment', { body }, (options) => shipper.createShipment({ body, ...options })),
    cancel: (path, reason) => {
      const call = { path, body: { reason } };
      return write('cancelShipment', call, (options) => shipper.cancelShipment({ ...call, ...options }));
    },
    event: (path, body) =>
      write('recordTrackingEvent', { path, body }, (options) =>
        carrier.recordTrackingEvent({ path, body, ...options }),
      ),
    positions: (path, body) =>
      write('recordPositions', { path, body }, (options) => carrier.recordPositions({ path, body, ...options })),
    upload: (path, kind, file) => {
      const declared = { ...path, kind, content_type: 'image/png' } as const;
      return write('uploadProofFile', { path, body: { kind, bytes: file.length } }, async (options) => {
        return { status: 201, data: await carrier.uploadProofFile({ ...declared, file }, options) };
      });
    },
    proof: (path, body) =>
      write('submitProofOfDelivery', { path, body }, (options) =>
        carrier.submitProofOfDelivery({ path, body, ...options }),
      ),
  };
}
