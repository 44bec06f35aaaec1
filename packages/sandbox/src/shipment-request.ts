import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { components } from '@waybill/contract/types';

type ShipmentRequest = components['schemas']['ShipmentRequest'];

/** The example of the contract that has only the required fields. */
export const shipmentRequest = document.components.examples.ShipmentRequestMinimal.value as ShipmentRequest;
