import { expect } from 'vitest';
import { newShipment, type Shipment, shipmentIn } from '../fixtures/shipments.ts';
import { test as base, newAccount, type TestAccount } from '../fixtures/test.ts';
import { type Agent, type Answer, overHttp, overStdio } from './agent.ts';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const past = { start: ago(600), end: ago(90) };
const future = { start: ago(-60), end: ago(-600) };
const items = [{ description: 'Olive oil', pieces: 12, weight: { value: 340, unit: 'kg' as const } }];
const boise = { address: '5 Ash St', city: 'Boise', state: 'ID', zip: '83702', contact_phone: '+1 208 555 0100' };

/** The shipments that the questions are about. */
async function makeShipments(account: TestAccount) {
  const { client } = account;
  const planned = { pickup_window: future, delivery_window: future };
  const late = await shipmentIn(account, 'in_transit', { items, destination: boise, delivery_window: past });
  const silent = await shipmentIn(account, 'in_transit', planned);
  const positions = [{ lat: 46.6, lng: -120.5, address: 'Yakima, WA', updated_at: ago(120) }];
  await client.recordPositions({ tracking_number: silent.tracking_number, positions });
  const refused = await shipmentIn(account, 'in_transit', { reference: 'PO-3', ...planned });
  const { tracking_number } = refused;
  const occurred_at = ago(0);
  const { id } = await client.raiseException({ tracking_number, code: 'weather_delay', occurred_at });
  await client.resolveException({ tracking_number, exception_id: id, resolved_at: new Date() });
  await client.raiseException({ tracking_number, code: 'refused', occurred_at, description: 'Dock 4 says no.' });
  const delivered = await shipmentIn(account, 'delivered', { reference: 'PO-4' });
  const overdue = await newShipment(account, { pickup_window: past });
  const cancelled = await shipmentIn(account, 'cancelled');
  const { next_after: after } = await client.listEvents({ limit: 100 });
  return { late, silent, refused, delivered, overdue, cancelled, after, newest: await newShipment(account, planned) };
}

type Known = Awaited<ReturnType<typeof makeShipments>>;
type Ask = Agent['ask'];

const test = base.extend<{ $file: { owner: TestAccount; known: Known; agents: Record<string, Agent> } }>({
  owner: [async ({ service }, use) => use(await newAccount(service)), { scope: 'file' }],
  known: [async ({ owner }, use) => use(await makeShipments(owner)), { scope: 'file' }],
  agents: [
    async ({ service, owner }, use) => {
      const key = await owner.keyWith(['shipments:read', 'tracking:read', 'events:read']);
      await using overNetwork = await overHttp(service, key);
      await using asProgram = await overStdio(service, key);
      await use({ HTTP: overNetwork, stdio: asProgram });
    },
    { scope: 'file' },
  ],
});

const numbered = ({ tracking_number }: Shipment) => ({ tracking_number });
const numbers = (...shipments: Shipment[]) => ({ shipments: shipments.map(numbered) });
const find = (filter: object) => (ask: Ask) => ask('find_shipments', filter);
type Name = 'late' | 'silent' | 'refused' | 'delivered';
const get = (name: Name) => (ask: Ask, known: Known) => ask('get_shipment', numbered(known[name]));
const explain = (name: Name) => (ask: Ask, known: Known) => ask('explain_shipment', numbered(known[name]));
const proof = (name: Name) => (ask: Ask, known: Known) => ask('get_proof_of_delivery', numbered(known[name]));
const attention = (ask: Ask) => ask('list_attention');
const since = (more?: object) => (ask: Ask, known: Known) => ask('follow_changes', { after: known.after, ...more });
const moving = { status: ['in_transit'], limit: 1 };
const next = async (ask: Ask) => find({ ...moving, cursor: (await ask('find_shipments', moving)).next_cursor })(ask);
const signed = async (ask: Ask) => {
  const { shipments } = await ask('find_shipments', { reference: 'PO-4' });
  return ask('get_proof_of_delivery', numbered(shipments[0]));
};
const timestamp = expect.any(String);
const refusal = 'The pickup or the delivery was attempted, and the freight was refused.';
const goesBack = { value: 'return', meaning: 'The freight goes back to the shipper.' };
const lateBy = expect.toSatisfy((minutes) => minutes >= 90 && minutes < 120);
const groups = ({ refused, overdue, late, silent }: Known) => ({
  open_exceptions: { total_count: 1, ...numbers(refused), next: null },
  overdue_pickups: { total_count: 1, ...numbers(overdue), next: null },
  under_way: { searched: 3, ...numbers(silent, late), next: null },
});

/** Question → the calls of an agent → what the last answer says. */
test.for<[string, (ask: Ask, known: Known) => Promise<Answer>, object | ((known: Known) => object)]>([
  ['Which shipment is PO-3?', find({ reference: 'PO-3' }), ({ refused }) => numbers(refused)],
  ['How many are on the road?', find({ ...moving, total_count: true }), { total_count: 3, has_more: true }],
  ['And after the newest of them?', next, ({ silent }) => numbers(silent)],
  ['What has ended?', find({ status: ['cancelled', 'delivered'] }), (all) => numbers(all.cancelled, all.delivered)],
  ['Which pickups are overdue?', find({ pickup_before: ago(0) }), ({ overdue }) => numbers(overdue)],
  ['Which have a problem?', find({ has_exception: true }), ({ refused }) => numbers(refused)],
  ['Where was it seen last?', get('silent'), { current_location: { address: 'Yakima, WA' } }],
  ['What is in it?', get('late'), { items: [{ description: 'Olive oil', pieces: 12 }], item_count: 1 }],
  ['Whom can I call there?', get('late'), { destination: { contact_phone: '+1 208 555 0100' } }],
  ['When was it picked up?', get('delivered'), { timeline: { 2: { status: 'picked_up', timestamp } } }],
  ['What is wrong?', explain('refused'), { open_exceptions: [{ code: { value: 'refused', meaning: refusal } }] }],
  ['What did the driver say?', explain('refused'), { open_exceptions: [{ description: 'Dock 4 says no.' }] }],
  ['Who has to act?', explain('refused'), { open_exceptions: [{ responsible_party: 'consignee' }] }],
  ['What may happen next?', explain('refused'), { open_exceptions: [{ next_steps: { 1: goesBack } }] }],
  ['What else was wrong before?', explain('refused'), { open_exception_count: 1, resolved_exception_count: 1 }],
  ['How late is it?', explain('late'), { needs: [{ need: 'late', minutes: lateBy }] }],
  ['For how long is it silent?', explain('silent'), { needs: [{ need: 'no_position', minutes: 120 }] }],
  ['What needs attention?', attention, groups],
  ['Who signed for PO-4?', signed, { signed_by: 'Owen Castillo', photos: [expect.stringMatching(/^http/)] }],
  ['Is it delivered?', proof('late'), { isError: true, code: 'proof_not_available', current_status: 'in_transit' }],
  ['What has changed?', since(), ({ newest }) => ({ events: [{ type: 'shipment.created', ...numbered(newest) }] })],
  ['Was one cancelled since?', since({ types: ['shipment.cancelled'] }), { events: [], has_more: false }],
])('an agent answers: %s', async ([, call, fact], { agents, known }) => {
  for (const { ask } of Object.values(agents))
    expect(await call(ask, known)).toMatchObject(typeof fact === 'function' ? fact(known) : fact);
});
