import type { components } from '@waybill/contract/types';
import { line, operationLink, table } from './markdown.ts';

type Schemas = components['schemas'];

/** A request that records what a code says. */
export type Step =
  | { operation: 'recordTrackingEvent'; value: Schemas['EventStatus'] }
  | { operation: 'raiseException'; value: Schemas['KnownExceptionCode'] }
  | { operation: 'updateShipment'; value: 'destination' | 'pickup_window' | 'delivery_window' }
  | { operation: 'recordPositions' }
  | { operation: 'cancelShipment' };

/** What a code says, and the request for it. Without one there is nothing to record. */
interface Code {
  meaning: string;
  step?: Step;
  note?: string;
}

const code = (meaning: string, step?: Step, note?: string): Code => ({
  meaning,
  ...(step && { step }),
  ...(note && { note }),
});
const record = (value: Schemas['EventStatus']): Step => ({ operation: 'recordTrackingEvent', value });
const raise = (value: Schemas['KnownExceptionCode']): Step => ({ operation: 'raiseException', value });
const change = (value: 'destination' | 'pickup_window' | 'delivery_window'): Step => ({
  operation: 'updateShipment',
  value,
});
const position: Step = { operation: 'recordPositions' };
const byReason = 'Its reason says what went wrong.';
const estimate = 'Send the time as `eta` with the next report.';

/** AT701, element 1650. */
export const statusCodes: Readonly<Record<string, Code>> = {
  CP: code('The freight is loaded at the pickup', record('picked_up')),
  AM: code('The freight is loaded on a truck', record('picked_up'), 'Only at the pickup, not at a terminal.'),
  AF: code('The carrier has left the pickup with the freight', record('in_transit')),
  X6: code('The freight is on its way to the delivery', record('in_transit')),
  D1: code('The freight is unloaded at the delivery', record('delivered'), 'The proof may follow.'),
  CB: code('The last part of the freight is delivered', record('delivered')),
  A3: code('The freight is back at the shipper', record('returned')),
  A7: code('The consignee refuses the freight', raise('refused')),
  A9: code('Freight is damaged', raise('damaged')),
  PA: code('Only a part of the freight is delivered', raise('short')),
  PR: code('Customs hold the freight', raise('customs_hold')),
  CA: code('The shipment is cancelled', { operation: 'cancelShipment' }, 'Before pickup. Needs `shipments:write`.'),
  AI: code('The freight gets another destination', change('destination'), 'The address is in N3 and N4.'),
  X3: code('Arrived at the pickup', position, 'Nothing is picked up yet.'),
  X8: code('Arrived at the dock of the pickup', position),
  L1: code('The freight is being loaded', position),
  X1: code('Arrived at the delivery, or at a stop before it', position, 'Nothing is delivered yet.'),
  X5: code('Arrived at the dock of the delivery', position),
  S1: code('The trailer is left at the consignee', position, 'Not unloaded: no `delivered`.'),
  CD: code('The carrier has left the delivery', position, 'D1 says whether anything was unloaded.'),
  X4: code('Arrived at a terminal', position),
  P1: code('Left a terminal', position),
  I1: code('In at a gate', position),
  OA: code('Out at a gate', position),
  K1: code('Arrived at customs', position),
  AR: code('The train has arrived', position),
  RL: code('The train has left', position),
  R1: code('Received from another carrier', position),
  J1: code('Handed over to another carrier', position, 'The shipper changes the `carrier`.'),
  BA: code('Taken over by another carrier', position),
  AV: code('The freight can be delivered', position),
  AJ: code('The freight is offered for delivery', position),
  BC: code('The freight is stored on its way', position),
  AG: code('Estimated time of the delivery', undefined, estimate),
  X2: code('Estimated time of the arrival at the consignee', undefined, estimate),
  AH: code('A delivery was attempted', undefined, byReason),
  AP: code('A delivery was not completed', undefined, byReason),
  SD: code('The shipment is delayed', undefined, byReason),
  XB: code('The carrier has accepted the shipment'),
  AN: code('The freight changes to an aircraft'),
  B6: code('Estimated time of the arrival at a terminal'),
  C1: code('Estimated time of the departure from a terminal'),
  CL: code('The trailer is closed'),
  OO: code('Papers have arrived without the freight'),
};

/** AT702 and AT704, element 1651. Those that are not here have nothing to record either. */
export const reasonCodes: Readonly<Record<string, Code>> = {
  A1: code('The delivery was missed', raise('appointment_missed')),
  A2: code('The address is wrong', raise('address_wrong')),
  A5: code('The freight cannot be found', raise('lost'), 'No code says that it is given up, so no `lost` status.'),
  AI: code('The vehicle has broken down', raise('breakdown')),
  AK: code('Damaged and packed again', raise('damaged')),
  AN: code('Closed for a holiday', raise('closed')),
  AO: code('Weather or a natural disaster', raise('weather_delay')),
  AQ: code('Nobody received the freight', raise('nobody_there')),
  AS: code('Customs hold it because of papers', raise('customs_hold')),
  B1: code('The consignee is closed', raise('closed')),
  BE: code('The state of the road', raise('traffic_delay')),
  BS: code('The customer refuses the freight', raise('refused')),
  CA: code('Customs', raise('customs_hold')),
  P1: code('Processing takes longer', raise('facility_delay')),
  S1: code('Freight was missing at the delivery', raise('short')),
  AY: code('The pickup was missed', undefined, 'While the shipment is `dispatched`: `appointment_missed`.'),
  A6: code('The address was corrected', undefined, 'The shipper changes the `destination`.'),
  AD: code('The customer wants another day', undefined, 'AT703 AB has the new appointment.'),
  NS: code('Normal'),
  NA: code('Normal appointment'),
  A3: code('Delivered by a detour'),
  AF: code('An accident'),
  AG: code('Caused by the consignee'),
  AH: code('Caused by the driver'),
  AJ: code('Caused by another carrier'),
  AL: code('Caused at the stop before'),
  AM: code('Caused by the shipper'),
  B4: code('Held until it is paid'),
  B5: code('Held for the consignee'),
  B8: code('The place cannot unload it'),
  B9: code('The place receives at certain times only'),
  BB: code('Held by the shipper'),
  BC: code('Papers are missing'),
  BD: code('The border'),
  BF: code('The carrier has made an error of entry', undefined, 'A person compares it, and voids what was wrong.'),
  BG: code('Another reason'),
  BH: code('No time was left for the delivery'),
  BT: code('Sent back to the shipper', undefined, 'AT701 A3 says that it has arrived.'),
  D1: code('The carrier sent it wrongly'),
  D2: code('No driver was there'),
  HB: code('Held until there is an appointment'),
};

/** AT703, element 1652. */
export const appointmentCodes: Readonly<Record<string, Code>> = {
  AA: code('Appointment of the pickup', change('pickup_window')),
  AB: code('Appointment of the delivery', change('delivery_window')),
};

/** A row for each code: what it says, and what records it. */
export const edi214Table = (element: string): string =>
  table(
    ['Code', 'Meaning', 'Record it with', 'Note'],
    Object.entries(codes[element] ?? {}).map(([name, { meaning, step, note }]) => [
      `\`${name}\``,
      meaning,
      step ? `${operationLink(step.operation)}${'value' in step ? ` \`${step.value}\`` : ''}` : 'Nothing',
      line(note ?? ''),
    ]),
  );

const codes: Record<string, Readonly<Record<string, Code>>> = {
  AT701: statusCodes,
  AT702: reasonCodes,
  AT703: appointmentCodes,
};
