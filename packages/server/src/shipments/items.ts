import { maxFieldErrors } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { type FieldError, fieldProblem } from '@waybill/http/problems';

type Schemas = components['schemas'];
type Item = Schemas['ShipmentItem'];
type Unit = Schemas['WeightUnit'];

// What is shipped: as requests state it, as it is stored, and what it sums up to.

/** Kilograms of an international avoirdupois pound. */
const kilograms: Record<Unit, number> = { kg: 1, lb: 0.45359237 };

/** At least a thousandth: what weighs less would be rounded to nothing. */
const rounded = (weight: number): number => Math.max(1, Math.round(weight * 1000)) / 1000;

/** The sums over the items. Weights of one unit are added before they are converted, so that their sum is exact. */
export function totalsOf(items: Item[]): Schemas['ShipmentTotals'] {
  const sums: Record<Unit, number> = { kg: 0, lb: 0 };
  let pieces = 0;
  for (const item of items) {
    pieces += item.pieces;
    sums[item.weight.unit] += item.weight.value;
  }
  const weightIn = (unit: Unit): number => {
    const other = unit === 'kg' ? 'lb' : 'kg';
    return rounded(sums[unit] + (sums[other] * kilograms[other]) / kilograms[unit]);
  };
  const unit = items[0]?.weight.unit ?? 'kg';
  return { pieces, weight: { value: weightIn(unit), unit }, weight_kg: weightIn('kg'), weight_lb: weightIn('lb') };
}

/** The items of a request as responses have them: their freight classes are text. */
export const itemsOf = (items: (Schemas['ShipmentItemRequest'] | Item)[]): Item[] =>
  items.map(({ freight_class, ...item }) => ({
    ...item,
    ...(freight_class !== undefined && { freight_class: `${freight_class}` as Schemas['FreightClass'] }),
  }));

/**
 * Requires what schemas cannot say in keywords that all tools know: a unit of sizes, and a range of temperatures.
 * @throws {Problem} invalid_request
 */
export function requireMeasurable({ items, temperature }: Pick<Schemas['Shipment'], 'items' | 'temperature'>) {
  const errors: FieldError[] = [];
  const add = (pointer: string, code: FieldError['code'], detail: string) =>
    errors.push({ in: 'body', pointer, code, detail });
  for (const [index, { length, width, height, dimension_unit }] of (items ?? []).entries()) {
    const isMeasured = (length ?? width ?? height) !== undefined;
    if (isMeasured && !dimension_unit)
      add(`/items/${index}/dimension_unit`, 'required', 'is required with length, width or height');
  }
  if (temperature) {
    const { min, max } = temperature;
    if (min === undefined && max === undefined) add('/temperature/min', 'required', 'is required without max');
    if (min !== undefined && max !== undefined && min > max)
      add('/temperature/max', 'out_of_range', 'must not be below min');
  }
  if (errors.length > 0) throw fieldProblem('invalid_request', errors.slice(0, maxFieldErrors));
}
