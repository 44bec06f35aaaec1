import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { components } from '@waybill/contract/types';

type ShipmentRequest = components['schemas']['ShipmentRequest'];

const { examples } = document.components;

/** The example of the contract that has only the required fields. Its pickup is in the past. */
export const shipmentRequest = examples.ShipmentRequestMinimal.value as ShipmentRequest;

/** A window of four hours that begins that many hours after the next full hour. */
export function windowIn(hours: number): { start: string; end: string } {
  const hour = 3_600_000;
  const start = (Math.ceil(Date.now() / hour) + hours) * hour;
  return { start: new Date(start).toISOString(), end: new Date(start + 4 * hour).toISOString() };
}

/** A shipment that a driver can pick up now, with what the driver's page can show. */
export function demoRequest(): Omit<ShipmentRequest, 'reference'> {
  const { reference: _, ...request } = examples.ShipmentRequest.value as ShipmentRequest;
  const { items } = examples.ShipmentRequestWithItems.value as ShipmentRequest;
  return { ...request, pickup_window: windowIn(1), delivery_window: windowIn(24), items: items?.slice(0, 1) ?? null };
}
