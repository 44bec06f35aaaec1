import { randomUUID } from 'node:crypto';
import type { CallOptions, Client, Schemas } from '@waybill/client';
import type { Reply, Write } from './writes.ts';

/** The two parties, each with its key. */
export interface Parties {
  shipper: Client;
  carrier: Client;
}

type Tracked = { tracking_number: Schemas['TrackingNumber'] };
type Send<Data> = (options: CallOptions) => Promise<Reply<Data>>;

/** Writes about one shipment, each a new one with a key of its own. */
export interface Requests {
  book(body: Schemas['ShipmentRequest']): Write<Schemas['Shipment']>;
  cancel(path: { shipment_id: Schemas['ShipmentId'] }, reason: string): Write<Schemas['Shipment']>;
  event(path: Tracked, body: Schemas['TrackingEventRequest']): Write<Schemas['TrackingStatus']>;
  positions(path: Tracked, body: Schemas['PositionsRequest']): Write<Schemas['TrackingStatus']>;
  upload(path: Tracked, kind: Schemas['FileKind'], file: Uint8Array): Write<Schemas['UploadId']>;
  proof(path: Tracked, body: Schemas['ProofOfDeliveryRequest']): Write<Schemas['ProofOfDelivery']>;
}

/** @param subject the shipment's reference */
export function requests({ shipper, carrier }: Parties, subject: string): Requests {
  const write = <Data>(operation: string, input: Pick<Write, 'path' | 'body'>, send: Send<Data>): Write<Data> => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const key = headers['Idempotency-Key'];
    return { operation, subject, ...input, key, send: (options) => send({ ...options, headers }) };
  };
  return {
    book: (body) => write('createShipment', { body }, (options) => shipper.createShipment({ body, ...options })),
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
