import type { Address, ListedShipment, ShipmentException, TrackingStatus, WaybillEvent } from '@waybill/client';
import { needsOf, openExceptions } from '@waybill/contract/needs';
import { meanings } from './contract.ts';

/** A shipment that was listed with `include=tracking`. */
export type Tracked = ListedShipment & { tracking: TrackingStatus };

/** Parts of a shipment, such as items, references and exceptions, that an answer has. It also has their number. */
const maxParts = 8;

const placeOf = ({ city, state, country }: Address): string => [city, state, country].filter(Boolean).join(', ');

/** A shipment of a list. */
export const rowOf = (shipment: ListedShipment): object => ({
  id: shipment.id,
  tracking_number: shipment.tracking_number,
  status: shipment.status,
  reference: shipment.reference,
  origin: placeOf(shipment.origin),
  destination: placeOf(shipment.destination),
  pickup_window: shipment.pickup_window,
  delivery_window: shipment.delivery_window,
  carrier: shipment.carrier?.name,
  updated_at: shipment.updated_at,
});

/** A shipment alone. */
export const shipmentOf = ({ tracking, items = [], references = [], ...shipment }: Tracked): object => ({
  ...shipment,
  ...(items.length > 0 && { items: items.slice(0, maxParts), item_count: items.length }),
  ...(references.length > 0 && { references: references.slice(0, maxParts), reference_count: references.length }),
  eta: tracking.eta,
  current_location: tracking.current_location,
  timeline: tracking.timeline,
  open_exceptions: openExceptions(tracking).length,
});

const needNames = { exception: 'open_exception', pickup: 'pickup_overdue', silent: 'no_position' };

/** Why a shipment needs attention, the most serious reason first. */
const needRows = (shipment: Tracked, now: number) =>
  needsOf({ shipment, tracking: shipment.tracking }, now).map((need) => ({
    need: need.kind === 'late' ? 'late' : needNames[need.reason],
    ...('by' in need && { minutes: Math.floor(need.by / 60_000) }),
  }));

/** A shipment of a list of those that need attention. */
export function attentionRow(shipment: Tracked, now: number): object {
  const [exception, ...others] = openExceptions(shipment.tracking);
  return {
    tracking_number: shipment.tracking_number,
    status: shipment.status,
    reference: shipment.reference,
    destination: placeOf(shipment.destination),
    eta: shipment.tracking.eta,
    needs: needRows(shipment, now),
    ...(exception && {
      exception: { id: exception.id, code: exception.code, severity: exception.severity },
      responsible_party: exception.responsible_party,
      other_exceptions: others.length,
    }),
  };
}

/** An exception with what its values mean. */
const exceptionRow = ({ code, severity, next_steps, ...exception }: ShipmentException) => ({
  ...exception,
  code: { value: code, meaning: meanings.ExceptionCode[code] },
  severity: { value: severity, meaning: meanings.ExceptionSeverity[severity] },
  next_steps: next_steps.map((step) => ({ value: step, meaning: meanings.ExceptionStep[step] })),
});

/** What is wrong with a shipment. */
export function explanationOf(shipment: Tracked, now: number): object {
  const { tracking_number, status, tracking, pickup_window, delivery_window } = shipment;
  const open = openExceptions(tracking);
  return {
    tracking_number,
    status: { value: status, meaning: meanings.ShipmentStatus[status] },
    needs: needRows(shipment, now),
    pickup_window,
    delivery_window,
    eta: tracking.eta,
    current_location: tracking.current_location,
    open_exceptions: open.slice(0, maxParts).map(exceptionRow),
    open_exception_count: open.length,
    resolved_exception_count: (tracking.exceptions ?? []).length - open.length,
  };
}

const eventException = ({ id, code, severity, description, ...end }: ShipmentException) => ({
  ...{ id, code, severity, description },
  ...(end.resolved_at && { resolved_at: end.resolved_at, resolution: end.resolution }),
  ...(end.voided_at && { voided_at: end.voided_at, void_reason: end.void_reason }),
});

/** An event with what has changed. */
export function eventRow({ id, type, created_at, data }: WaybillEvent): object {
  const { shipment, tracking, tracking_change, exception_change, document_change, webhook_endpoint } = data;
  const subject = shipment ?? tracking ?? tracking_change ?? exception_change ?? document_change;
  const progress = tracking ?? tracking_change;
  return {
    ...{ id, type, created_at },
    tracking_number: subject?.tracking_number,
    status: subject?.status,
    ...(shipment && { reference: shipment.reference, cancellation_reason: shipment.cancellation_reason }),
    ...(progress && { eta: progress.eta, location: progress.current_location?.address }),
    ...(exception_change && { exception: eventException(exception_change.exception) }),
    document: document_change?.document,
    webhook_endpoint_id: webhook_endpoint?.id,
  };
}
