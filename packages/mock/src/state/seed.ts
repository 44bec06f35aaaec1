import { EventEmitter } from 'node:events';
import { dereferenced } from '@waybill/contract/dereferenced';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { components } from '@waybill/contract/types';
import { contractAjv } from '@waybill/contract/validation/contract-ajv';
import { fieldErrors } from '@waybill/contract/validation/field-errors';
import { invalidFields } from '@waybill/contract/validation/invalid-request';
import { newUuid } from '@waybill/http/identifiers';
import { type OperationId, responsesOf } from '@waybill/http/operations';
import type { Seed } from '../options.ts';
import { addShipment, completeShipment, type MockShipment, type State } from './state.ts';

type Schemas = components['schemas'];

const examplesOf = <Body>(id: OperationId): Body[] =>
  Object.values(responsesOf(id)[200]?.content?.['application/json']?.examples ?? {}).map(({ value }) => value as Body);

/** The examples of the contract. */
export function contractSeed(): Seed {
  const shipments = examplesOf<Schemas['ShipmentList']>('listShipments').flatMap(({ data }) => data);
  const positions = examplesOf<Schemas['PositionList']>('listPositions').flatMap(({ data }) => data);
  const tracking = examplesOf<Schemas['TrackingStatus']>('getTracking');
  return {
    shipments,
    tracking: shipments.flatMap(({ tracking_number, status }) => {
      const example = tracking.find((each) => each.status === status);
      return example ? { ...example, tracking_number } : [];
    }),
    positions: Object.fromEntries(shipments.map(({ tracking_number }) => [tracking_number, positions])),
    events: examplesOf<Schemas['EventList']>('listEvents').flatMap(({ data }) => data),
  };
}

/**
 * Reads a seed.
 * @param maxShipments how many shipments it may have
 * @throws {InvalidRequest} that names the invalid fields
 */
export function readSeed(value: unknown, maxShipments: number): Seed {
  const schemas = dereferenced(document.components.schemas) as Record<string, object>;
  const { ShipmentWithHandoverCode: shipment, TrackingStatus, CurrentLocation, Event } = schemas;
  const { required } = document.components.schemas.ShipmentRequest;
  const listOf = (items: object | undefined, others = {}) => ({ type: 'array', items, ...others });
  const validate = contractAjv.compile({
    type: 'object',
    required: ['shipments'],
    additionalProperties: false,
    properties: {
      shipments: listOf({ ...shipment, required }, { maxItems: maxShipments }),
      tracking: listOf(TrackingStatus),
      positions: { type: 'object', additionalProperties: listOf(CurrentLocation) },
      events: listOf(Event),
    },
  });
  if (!validate(value)) throw invalidFields(fieldErrors('body', validate.errors ?? []));
  return value as Seed;
}

export function stateFrom(
  { shipments, tracking = [], positions = {}, events = [] }: Seed,
  maxShipments: number,
): State {
  // Above the numbers of the seed.
  const lastNumber = Math.max(1000, ...shipments.map((each) => Number(each.tracking_number?.split('-').at(-1) ?? 0)));
  const state: State = {
    shipments: new Map(),
    accesses: new Map(),
    uploads: new Map(),
    responses: new Map(),
    maxShipments,
    lastNumber,
    log: { events: [...events], emitter: new EventEmitter().setMaxListeners(0) },
  };
  const complete = shipments.map((shipment) => completeShipment(state, shipment));
  for (const shipment of complete.sort((a, b) => a.created_at.localeCompare(b.created_at))) {
    const { tracking_number } = shipment;
    const known = tracking.find((each) => each.tracking_number === tracking_number);
    const added = addShipment(state, shipment, known?.timeline);
    if (known) addLocation(added, known);
    added.positions = positions[tracking_number] ?? (known?.current_location ? [known.current_location] : []);
    if (shipment.status === 'delivered') addProof(added);
  }
  return state;
}

function addLocation(to: MockShipment, { eta, current_location }: Schemas['TrackingStatus']): void {
  const { updated_at, ...place } = current_location ?? { lat: null, lng: null, address: null, updated_at: null };
  const location = { ...place, updated_at: updated_at === null ? null : new Date(updated_at) };
  to.tracking = { ...to.tracking, eta: eta === null ? null : new Date(eta), ...location };
}

/** Adds the contract's example of a proof. Its files are images of one pixel. */
function addProof(to: MockShipment): void {
  const [example] = examplesOf<Schemas['ProofOfDelivery']>('getProofOfDelivery');
  if (!example) throw new Error('The contract has no example of a proof');
  const { signature_url: _, photos, ...others } = example;
  const { tracking_number, updated_at } = to.shipment;
  const delivered_at = to.tracking.timeline.at(-1)?.timestamp ?? updated_at;
  to.proof = { ...others, tracking_number, delivered_at, signature: newUuid(), photos: photos.map(newUuid) };
}
