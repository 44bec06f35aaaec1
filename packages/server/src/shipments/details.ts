import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import type { ShipmentDetails } from '../database/tables.ts';

type Schemas = components['schemas'];

/** The details that are stored as requests have them. */
const copied: Record<Exclude<keyof ShipmentDetails, 'delivery_window'>, true> = {
  items: true,
  carrier: true,
  service_level: true,
  signature_required: true,
};
const copiedFields = Object.keys(copied) as (keyof typeof copied)[];

/** The details of a request or of a changed shipment; null when it has none. */
export function detailsOf(fields: Schemas['ShipmentRequest'] | Schemas['Shipment']): ShipmentDetails | null {
  const { delivery_window: window } = fields;
  const details: ShipmentDetails = {
    ...(window && { delivery_window: inUtc(window) }),
    ...Object.fromEntries(copiedFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
  };
  return Object.keys(details).length > 0 ? details : null;
}

/** A timestamp of a request as responses have it. */
const utc = (timestamp: string): string => dateOf(timestamp).toISOString();

/** A range of timestamps in a request, as responses have it. */
export const inUtc = ({ start, end }: Schemas['PickupWindowRequest']): Schemas['PickupWindow'] => ({
  start: utc(start),
  end: utc(end),
});

/** The details as callers see them, with the sums over the items. */
export function visibleDetails(
  details: ShipmentDetails | null,
): (ShipmentDetails & Pick<Schemas['Shipment'], 'totals'>) | undefined {
  return details?.items ? { ...details, totals: totalsOf(details.items) } : (details ?? undefined);
}

function totalsOf(items: Schemas['ShipmentItem'][]): Schemas['ShipmentTotals'] {
  const sum = (of: (item: Schemas['ShipmentItem']) => number): number =>
    items.reduce((total, item) => total + of(item), 0);
  // At least a gram: that of a single item may be rounded to nothing.
  const grams = Math.max(1, Math.round(sum(({ weight_kg }) => weight_kg) * 1000));
  return { pieces: sum(({ pieces }) => pieces), weight_kg: grams / 1000 };
}
