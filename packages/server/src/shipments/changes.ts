import { isDeepStrictEqual } from 'node:util';
import { requiredIn } from '@waybill/contract/addresses';
import { changes as changeRows } from '@waybill/contract/lifecycle';
import { statusesBefore } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { missingFields } from '@waybill/contract/validation/address-fields';
import { fieldProblem, Problem } from '@waybill/http/problems';
import { etagOf } from '@waybill/http/responses';
import { itemsOf, requireMeasurable } from './items.ts';
import { inUtc, type NewFields } from './shipment.ts';

type Schemas = components['schemas'];
type Shipment = Schemas['ShipmentWithHandoverCode'];
type Status = Schemas['ShipmentStatus'];

/** Each field that can be changed, until which status, and the statuses before it. */
const changeable = changeRows.flatMap(({ until, fields }) => {
  const statuses = statusesBefore(until);
  return fields.map((pointer) => ({ pointer, until, statuses }));
});

/** The ETag of a shipment, without its handover code: a driver who knows the other fields could try all codes with it. */
export const shipmentTag = ({ handover_code: _, ...shipment }: Shipment): string => etagOf(JSON.stringify(shipment));

/**
 * Changes the fields of a shipment as RFC 7396 describes. Its `totals` stay those of the previous items.
 * @returns undefined when each field has the requested value
 * @throws {Problem} change_not_allowed when the status allows no change of a field that would change, or invalid_request when
 * a changed address lacks what its country requires, or of `requireMeasurable`
 */
export function changedShipment(shipment: Shipment, changes: Schemas['ShipmentChanges']): Shipment | undefined {
  const { pickup_window, delivery_window, items, ...others } = changes;
  const changed = merged(shipment, {
    ...others,
    ...(items !== undefined && { items: items && itemsOf(items) }),
    ...(pickup_window && { pickup_window: inUtc(pickup_window) }),
    ...(delivery_window !== undefined && { delivery_window: delivery_window && inUtc(delivery_window) }),
  }) as Shipment;
  requireMeasurable(changed);
  const different = changeable.filter(
    ({ pointer }) => !isDeepStrictEqual(valueAt(shipment, pointer), valueAt(changed, pointer)),
  );
  const refused = different.filter(({ statuses }) => !statuses.has(shipment.status));
  if (refused.length > 0) throw changeNotAllowed(shipment.status, refused);
  requireComplete(
    changed,
    different.map(({ pointer }) => pointer),
  );
  return different.length > 0 ? changed : undefined;
}

/** The fields of a new shipment: those of a request that are not null. */
export const fieldsOf = (request: Schemas['ShipmentRequest']): NewFields => merged({}, request) as NewFields;

/** @throws {Problem} invalid_request */
function requireComplete(shipment: Shipment, pointers: string[]): void {
  const errors = (['origin', 'destination'] as const).flatMap((name) =>
    pointers.some((pointer) => pointer.startsWith(`/${name}/`))
      ? missingFields(requiredIn, { ...shipment[name] }).map(([field, detail]) => ({
          ...{ in: 'body' as const, pointer: `/${name}/${field}`, code: 'required' as const, detail },
        }))
      : [],
  );
  if (errors.length > 0) throw fieldProblem('invalid_request', errors);
}

/** RFC 7396, section 2. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const fields = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete fields[name];
    else fields[name] = merged(fields[name], value);
  }
  return fields;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param pointer of a field of the contract, whose names need no escapes */
const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, name) => (isObject(parent) ? parent[name] : undefined), value);

function changeNotAllowed(status: Status, refused: { pointer: string; until: Status }[]): Problem {
  const pointers = refused.map(({ pointer }) => pointer);
  return new Problem('change_not_allowed', `A shipment that is ${status} allows no change of ${pointers.join(', ')}.`, {
    errors: refused.map(({ pointer, until }) => ({
      in: 'body',
      pointer,
      code: 'not_allowed',
      detail: `can be changed only before ${until}`,
    })),
    current_status: status,
    changeable: changeable.flatMap(({ pointer, statuses }) => (statuses.has(status) ? pointer : [])),
  });
}
