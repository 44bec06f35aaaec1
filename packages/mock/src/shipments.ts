import { transitions } from '@waybill/contract/lifecycle';
import { operationTable } from '@waybill/contract/operations';
import type { components } from '@waybill/contract/types';
import { examplesOf, successOf } from './examples.ts';
import type { OperationId } from './routes.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];

/** What the mock knows about a shipment. Handlers change it. */
export interface MockShipment {
  shipment: Schemas['Shipment'];
  tracking: Schemas['TrackingStatus'];
  /** Oldest first. */
  positions: Schemas['CurrentLocation'][];
  proof: Schemas['ProofOfDelivery'] | undefined;
  /** Whether changes are stored. Timestamps of requests then count against earlier ones. */
  isStored: boolean;
}

/** Identifiers in the path of a request. */
export type Identifiers = Partial<Record<'shipment_id' | 'tracking_number', string>>;

export interface Shipments {
  /** Finds the shipment that a request is about. */
  find(identifiers: Identifiers, operation: OperationId, body: unknown): MockShipment | undefined;
  add(shipment: MockShipment): void;
  /** The shipment with a reference that is not cancelled. */
  findOpen(reference: string): Schemas['Shipment'] | undefined;
  /** Newest first. */
  list(status: Status | undefined): Schemas['Shipment'][];
  /** The most entries of a page. */
  pageSize(operation: 'listShipments' | 'listPositions'): number;
}

type Lists = { listShipments: Schemas['ShipmentList']; listPositions: Schemas['PositionList'] };

/** The entries of a list's examples. */
const listed = <Id extends keyof Lists>(id: Id): Lists[Id]['data'] =>
  examplesOf(id).flatMap(({ status, value }) =>
    status === 200 ? (value as Schemas['ShipmentList']).data : [],
  ) as never;

/** The example of a status among the successes of an operation. */
const exampleIn = (id: OperationId, status: Status): unknown =>
  examplesOf(id).find(({ value }) => (value as { status?: unknown } | undefined)?.status === status)?.value;

/** A shipment whose tracking status, positions and proof of delivery are the contract's examples. */
function withExamples(shipment: Schemas['Shipment'], isStored: boolean): MockShipment {
  const { status, tracking_number } = shipment;
  const proof = { ...(successOf('getProofOfDelivery').value as Schemas['ProofOfDelivery']), tracking_number };
  return structuredClone({
    shipment,
    tracking: { ...(exampleIn('getTracking', status) as Schemas['TrackingStatus']), tracking_number },
    positions: listed('listPositions'),
    proof: isStored && status !== 'delivered' ? undefined : proof,
    isStored,
  });
}

const exampleShipment = (status: Status): Schemas['Shipment'] =>
  exampleIn('getShipment', status) as Schemas['Shipment'];

const isAbout = ({ id, tracking_number }: Schemas['Shipment'], about: Identifiers): boolean =>
  id === about.shipment_id || tracking_number === about.tracking_number;

/**
 * The contract's examples, for every identifier: a request finds a shipment in a status that allows its operation.
 * Changes are lost.
 */
export const exampleShipments: Shipments = {
  find(identifiers, operation, body) {
    const { shipment_id, tracking_number } = identifiers;
    const status = statusBefore(operation, body);
    const inList = listed('listShipments').find((shipment) => isAbout(shipment, identifiers));
    if (inList && operationTable[operation].method === 'GET') return withExamples(inList, false);
    const ofResponse = (successOf(operation).value as { status?: Status } | undefined)?.status;
    const shipment = exampleShipment(status ?? ofResponse ?? 'in_transit');
    const own = { ...(shipment_id && { id: shipment_id }), ...(tracking_number && { tracking_number }) };
    return withExamples({ ...shipment, ...own }, false);
  },
  add: () => {},
  findOpen: () => undefined,
  list(status) {
    if (status === undefined) return listed('listShipments');
    const shipments = listed('listShipments').filter((shipment) => shipment.status === status);
    return shipments.length > 0 ? shipments : [exampleShipment(status)];
  },
  pageSize: (operation) => (successOf(operation).value as { data: unknown[] }).data.length,
};

/** A status from which an operation leads to the one that it asks for; undefined when it changes none. */
function statusBefore(operation: OperationId, body: unknown): Status | undefined {
  const { status } = (body ?? {}) as { status?: unknown };
  return (
    transitions.find(({ operation: by, from, to }) => by === operation && from && (status ?? to) === to)?.from ??
    undefined
  );
}

/** Stored shipments, at first those of the contract's lists. The oldest is removed for one too many. */
export function storedShipments(maximum: number): Shipments {
  const byId = new Map<string, MockShipment>();
  const add = (shipment: MockShipment): void => {
    byId.set(shipment.shipment.id, shipment);
    const [oldest] = byId.keys();
    if (byId.size > maximum && oldest) byId.delete(oldest);
  };
  for (const shipment of listed('listShipments').reverse()) add(withExamples(shipment, true));
  const newestFirst = (): Schemas['Shipment'][] => [...byId.values()].reverse().map(({ shipment }) => shipment);
  return {
    find: (about) => [...byId.values()].find(({ shipment }) => isAbout(shipment, about)),
    add,
    findOpen: (reference) =>
      newestFirst().find((shipment) => shipment.reference === reference && shipment.status !== 'cancelled'),
    list: (status) => newestFirst().filter((shipment) => (status ?? shipment.status) === shipment.status),
    pageSize: () => Number.POSITIVE_INFINITY,
  };
}
