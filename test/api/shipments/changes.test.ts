import { changes as contractRows } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { expect, vi } from 'vitest';
import { completed } from '../../contract/coverage/complete.ts';
import { operationOf } from '../../fixtures/contract/contract.ts';
import { type Status, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

type Changes = components['schemas']['ShipmentChanges'];

const beforePickup: Status[] = ['scheduled', 'dispatched'];
const beforeDelivery: Status[] = ['scheduled', 'dispatched', 'picked_up', 'in_transit'];
const driver = { name: 'Dana Whitfield' };
const time_range = { start: '2026-05-04T08:00:00.000Z', end: '2026-05-04T12:00:00.000Z' };

/** Field → a change of it, and the statuses in which it can be changed. */
const fields: Record<string, [change: Changes, statuses: Status[]]> = {
  '/origin/address': [{ origin: { address: '4 Canal Street' } }, beforePickup],
  '/origin/address_2': [{ origin: { address_2: 'Gate B' } }, beforePickup],
  '/origin/city': [{ origin: { city: 'Olympia' } }, beforePickup],
  '/origin/state': [{ origin: { state: 'OR' } }, beforePickup],
  '/origin/zip': [{ origin: { zip: '98501' } }, beforePickup],
  '/origin/country': [{ origin: { country: 'CA' } }, beforePickup],
  '/items': [{ items: [{ description: 'Tiles', pieces: 2, weight: { value: 80, unit: 'kg' } }] }, beforePickup],
  '/declared_value': [{ declared_value: { amount: '950.50', currency: 'CAD' } }, beforePickup],
  '/pickup_window': [{ pickup_window: time_range }, beforePickup],
  '/destination/address': [{ destination: { address: '9 Dock Road' } }, beforeDelivery],
  '/destination/address_2': [{ destination: { address_2: 'Suite 400' } }, beforeDelivery],
  '/destination/city': [{ destination: { city: 'Yakima' } }, beforeDelivery],
  '/destination/state': [{ destination: { state: 'ID' } }, beforeDelivery],
  '/destination/zip': [{ destination: { zip: '98901' } }, beforeDelivery],
  '/destination/country': [{ destination: { country: 'MX' } }, beforeDelivery],
  '/delivery_window': [{ delivery_window: time_range }, beforeDelivery],
  '/temperature': [{ temperature: { min: -20, max: -18, unit: 'C' } }, beforeDelivery],
  '/carrier': [{ carrier: { name: 'Cascade Freight Lines' } }, beforeDelivery],
  '/service_level': [{ service_level: 'Expedited' }, beforeDelivery],
  '/signature_required': [{ signature_required: true }, beforeDelivery],
  '/origin/company': [{ origin: { company: 'Quarry Supply' } }, beforeDelivery],
  '/origin/contact_name': [{ origin: { contact_name: 'Mara Lindqvist' } }, beforeDelivery],
  '/origin/contact_phone': [{ origin: { contact_phone: '+1 206 555 0142' } }, beforeDelivery],
  '/destination/company': [{ destination: { company: 'Foundry Stores' } }, beforeDelivery],
  '/destination/contact_name': [{ destination: { contact_name: 'Owen Castillo' } }, beforeDelivery],
  '/destination/contact_phone': [{ destination: { contact_phone: '+1 509 555 0119' } }, beforeDelivery],
  '/reference': [{ reference: 'PO-9' }, beforeDelivery],
  '/references': [{ references: [{ type: 'pro', value: '0-8' }] }, beforeDelivery],
  '/notes': [{ notes: 'Dock 4.' }, beforeDelivery],
  '/handover_code': [{ handover_code: '4821' }, beforeDelivery],
  '/equipment': [{ equipment: { type: 'flatbed', trailer_number: 'T 1' } }, beforeDelivery],
  '/driver': [{ driver }, beforeDelivery],
};

/** A change as responses and events have it. */
const shown = ({ handover_code, ...change }: Changes) => ({
  ...change,
  ...(handover_code && { handover_code_required: true }),
});

test('the table of this test has the fields of the contract', () => {
  expect(contractRows.flatMap((row) => row.fields)).toEqual(Object.keys(fields));
});

test.for([...beforeDelivery, 'delivered', 'cancelled', 'returned'] as const)(
  'updateShipment changes the fields of the status %s',
  async (status, { account: { client, events } }) => {
    const { id: shipment_id, tracking_number } = await shipmentIn({ client }, status);
    const changeable = Object.keys(fields).filter((field) => fields[field]?.[1].includes(status));
    for (const [pointer, [change]] of Object.entries(fields)) {
      const [earlier, before] = [await events(), await client.getShipment({ shipment_id })];
      const update = client.updateShipment({ shipment_id, ...change });
      if (!changeable.includes(pointer)) {
        const problem = { current_status: status, changeable, errors: [{ in: 'body', pointer, code: 'not_allowed' }] };
        await expect(update, pointer).rejects.toMatchObject({ status: 409, code: 'change_not_allowed', problem });
        continue; // contract/coverage: nothing has changed
      }
      const after = await update;
      expect(after, pointer).toMatchObject(shown(change));
      expect(after.updated_at >= before.updated_at).toBe(true);
      const types = [
        'shipment.updated',
        ...(/destination\/(?!contact)/.test(pointer) ? ['shipment.destination_changed'] : []),
      ];
      const data = { shipment: after };
      expect((await events()).slice(earlier.length)).toMatchObject(types.map((type) => ({ type, data })));
    }
    // What the carrier changes of the same fields.
    const carry = (seal_number: string) => client.updateTracking({ tracking_number, equipment: { seal_number } });
    if (!changeable.includes('/equipment')) {
      const problem = { current_status: status, changeable: [], errors: [{ pointer: '/equipment' }] };
      await expect(carry('S 1')).rejects.toMatchObject({ code: 'change_not_allowed', problem });
      return;
    }
    const { length } = await events();
    const carried = { equipment: { type: 'flatbed', trailer_number: 'T 1', seal_number: 'S 1' }, driver };
    for (let time = 0; time < 2; time++)
      expect(await carry('S 1')).toEqual({ tracking_number, status, ...carried, pro: '0-8' });
    const shipment = await client.getShipment({ shipment_id });
    expect(shipment).toMatchObject(carried);
    expect((await events()).slice(length)).toMatchObject([{ type: 'shipment.updated', data: { shipment: carried } }]);
  },
);

test('concurrent changes of all fields are all stored, each with an event', async ({ account: { client, events } }) => {
  const { id: shipment_id } = await client.createShipment(shipmentRequest());
  const earlier = (await events()).length;
  const changes = Object.values(fields).map(([change]) => change);
  await Promise.all(changes.map((change) => client.updateShipment({ shipment_id, ...change })));
  const { handover_code, ...shipment } = await client.getShipment({ shipment_id });
  expect(handover_code).toBe('4821');
  for (const change of changes) expect(shipment).toMatchObject(shown(change));
  const updates = (await events()).slice(earlier);
  expect(updates.filter(({ type }) => type === 'shipment.updated')).toHaveLength(changes.length);
  expect(updates.at(-1)).toMatchObject({ data: { shipment } });
});

test('a change that names one field too late changes nothing', async ({ account: { client } }) => {
  const { id: shipment_id } = await shipmentIn({ client }, 'picked_up');
  const before = await client.getShipment({ shipment_id });
  const origin = { city: 'Olympia', contact_name: 'Mara Lindqvist' };
  const update = client.updateShipment({ shipment_id, notes: 'Dock 4.', pickup_window: time_range, origin });
  const errors = [{ pointer: '/origin/city' }, { pointer: '/pickup_window' }];
  await expect(update).rejects.toMatchObject({ errors });
  expect(await client.getShipment({ shipment_id })).toEqual(before);
});

test('null removes an optional field, and an object changes only what it has', async ({ account: { client } }) => {
  const request = { ...shipmentRequest(), pickup_window: time_range, delivery_window: time_range, handover_code: null };
  const complete = completed(operationOf('createShipment').bodySchema ?? {}, request) as typeof request;
  const { id: shipment_id, ...created } = await client.createShipment(complete);
  const item = { description: 'Slate', pieces: 3, weight: { value: 1.5, unit: 'kg' } } as const;
  const items = [item, { ...item, pieces: 4 }];
  const temperature = { min: null, max: 4, unit: 'C' } as const;
  const change = { carrier: { name: 'Harbor Haulage' }, items, temperature, driver };
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(created.updated_at)), waitTimeout);
  const changed = await client.updateShipment({
    shipment_id,
    origin: { contact_phone: null, city: 'Olympia' },
    ...change,
  });
  const { contact_phone: _, ...origin } = created.origin;
  expect(changed).toEqual({
    ...{ id: shipment_id, ...created, items, updated_at: changed.updated_at },
    totals: { pieces: 7, weight: { value: 3, unit: 'kg' }, weight_kg: 3, weight_lb: 6.614 },
    origin: { ...origin, city: 'Olympia' },
    temperature: { max: 4, unit: 'C' },
    carrier: { ...created.carrier, name: 'Harbor Haulage' },
    driver: { ...created.driver, ...driver },
  });
  expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(created.updated_at));
  const removed = {
    ...{ items: null, notes: null, delivery_window: null, service_level: null, signature_required: null },
    ...{ reference: null, references: null, declared_value: null, temperature: null, equipment: null, driver: null },
  };
  const carrier = { name: 'Harbor Haulage', scac: null };
  const rest = await client.updateShipment({ shipment_id, ...removed, carrier });
  expect(rest.carrier).toEqual({ name: 'Harbor Haulage' });
  for (const field of [...Object.keys(removed), 'totals']) expect(rest).not.toHaveProperty(field);
  const without = await client.updateShipment({ shipment_id, carrier: null });
  expect(without).not.toHaveProperty('carrier');
  expect(await client.getShipment({ shipment_id })).toEqual(without);
});

test('with If-Match, only the version of the ETag is changed', async ({ account: { client } }) => {
  const { id: shipment_id } = await client.createShipment(shipmentRequest());
  const read = () => client.getShipment({ shipment_id }).withResponse();
  const { etag: first } = await read();
  const change = (notes: string, ifMatch: string | null) =>
    client.updateShipment({ shipment_id, notes }, { ifMatch }).withResponse();
  const { etag: second } = await change('first', first);
  expect(second).not.toBe(first);
  expect((await read()).etag).toBe(second);
  // Also with the values that the shipment has already.
  for (const notes of ['first', 'second'])
    await expect(change(notes, first)).rejects.toMatchObject({ status: 412, code: 'precondition_failed' });
  expect((await read()).data).toMatchObject({ notes: 'first' });
  await change('third', '*');
  // A change that the status refuses: the version is checked first.
  await client.cancelShipment({ shipment_id, reason: 'Sold.' });
  await expect(change('fourth', second)).rejects.toMatchObject({ status: 412 });
  await expect(change('fourth', '*')).rejects.toMatchObject({ status: 409, code: 'change_not_allowed' });
});
