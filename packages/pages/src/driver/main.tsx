/** The driver page: one shipment on the phone of its driver, with or without a network. */

import type { Shipment } from '@waybill/client';
import { render } from 'preact';
import { languages, preferredLanguage } from '../messages/languages.ts';
import { readZone, zoneQuery } from '../text/zones.ts';
import { createClock } from './clock.ts';
import { ProblemForm, ProofForm } from './forms.tsx';
import {
  type Actions,
  closedScreen,
  destinationText,
  homeScreen,
  insecureScreen,
  opensForm,
  placeOf,
  statusOf,
  type View,
} from './home.tsx';
import { follow, locate } from './location.ts';
import { clockAt } from './place-clocks.ts';
import {
  type Fix,
  type FormName,
  failureOf,
  holdLeft,
  holdTime,
  isCurrent,
  isPlace,
  isSomewhere,
  linkOf,
  type QueueItem,
  resent,
  truePosition,
  withFix,
} from './queue.ts';
import { clientOf, createSender, followsPositions } from './sender.ts';
import { type Link, openStore, submissionsOf } from './store.ts';
import { guardTaps } from './taps.ts';

/** Milliseconds between two readings of the shipment, and between two requests with positions. */
const interval = 30_000;
/** The same after a reading that has failed. */
const shortInterval = 5_000;
/** Milliseconds after which a proof goes without a location: a hall has none, and nobody has to permit it. */
const locationTime = 10_000;

const { driver: messages, locale } = languages[preferredLanguage(navigator.languages)];
document.documentElement.lang = locale;
const root = document.querySelector('#app') as HTMLElement;
if (!isSecureContext) {
  render(insecureScreen(messages), root);
  await new Promise(() => {}); // the link stays in the address bar, for whoever changes its scheme
}
const clock = createClock();
const service = { baseUrl: root.dataset.api ?? '', clock };
const store = await openStore();
/** Tells the other tabs that the store has changed. */
const channel = new BroadcastChannel('waybill-driver');
const sender = createSender(store, service, changed);

let form: View['form'];
let opened = 0;
let view: View | undefined;
let isUnreachable = false;
let lastRead = 0;
/** The newest position of the phone. */
let fix: Fix | undefined;
let isLocationRefused = false;
let endFollowing: (() => void) | undefined;
/** The shipments that get each position. */
let shared: string[] = [];
/** The items that are released later. */
const held = new Set<number>();
let isLeaving = false;
/** The number of the newest reading of the store. */
let newest = 0;

/** Reads the store again and shows it, unless it changes meanwhile. */
async function draw(): Promise<void> {
  const own = ++newest;
  const [[link, ...others], items] = await Promise.all([store.links(), store.items()]);
  if (own !== newest) return;
  const { zone, place } = clockAt(link, placeOf(link, items));
  view = {
    ...{ messages, link, isUnreachable, others, items, isLocationRefused, form, place },
    clock: { locale, now: clock.now(), zone },
    sender: sender.state(),
  };
  followPosition([...(link ? [link] : []), ...others], items);
  releaseLater(items);
  document.title = link?.tracking ? `${link.tracking.tracking_number}: ${messages.title}` : messages.title;
  render(<Screen view={view} />, root);
}

function Screen({ view: shown }: { view: View }) {
  const { link } = shown;
  if (!link?.shipment || !link.tracking || link.closed) return closedScreen(shown, actions);
  const { form: open } = shown;
  if (!open) return homeScreen(shown, actions);
  const Form = open.name === 'proof' ? ProofForm : ProblemForm;
  return <Form key={open.number} view={shown} actions={actions} form={open} />;
}

async function changed(): Promise<void> {
  channel.postMessage(null);
  await draw();
}

/** Follows the position while the driver shares it for a shipment that is carried. All of them get it. */
function followPosition(links: Link[], items: QueueItem[]): void {
  shared = links
    .filter((link) => link.isSharing && !link.closed && followsPositions(statusOf(link, items)))
    .map(({ shipmentId }) => shipmentId);
  if (shared.length > 0 && !endFollowing) {
    const refuse = () => {
      isLocationRefused = true;
      void draw();
    };
    endFollowing = follow((found) => truePosition(found, clock.offset() ?? 0) !== undefined, addPosition, refuse);
  } else if (shared.length === 0 && endFollowing) {
    endFollowing();
    endFollowing = undefined;
    isLocationRefused = false;
  }
}

function addPosition(found: Fix): void {
  const offset = clock.offset();
  notice(found);
  const position = offset === undefined ? undefined : truePosition(found, offset);
  if (position) void store.addPosition(shared, { position });
  // Before the clock of the service is known, only the sender can tell whether the time is right.
  else if (offset === undefined && isPlace(found)) void store.addPosition(shared, { fix: found });
  else void store.leaveOut(shared.map((shipmentId) => ({ shipmentId }))).then(changed);
}

const isNow = (found: Fix): boolean => isCurrent(found, Date.now(), clock.offset());

/** Notes where the phone is. A browser may return a position of hours ago as the present one. */
function notice(found: Fix): void {
  if (isNow(found)) fix = found;
}

/** Asks where the phone is. @returns whether the page knows it then */
async function find(): Promise<boolean> {
  await Promise.race([locate().then(notice, () => {}), new Promise((resolve) => setTimeout(resolve, locationTime))]);
  return fix !== undefined && isNow(fix);
}

/** Asks where the phone is for an action that was added without a place. */
async function locateLater({ key }: Pick<QueueItem, 'key'>): Promise<void> {
  await locate().then(notice, () => {});
  if (fix) await store.locate(key, fix, clock.offset() ?? 0);
}

/** Lets the sender have each held item at its time. */
function releaseLater(items: QueueItem[]): void {
  for (const { id, heldUntil } of items) {
    if (heldUntil === undefined || held.has(id)) continue;
    held.add(id);
    setTimeout(() => void release(id), holdLeft(heldUntil, Date.now()));
  }
}

const release = (id?: number): Promise<void> => store.release(id).then(changed).then(sender.wake);

/** Reads the shipment that is shown. */
async function read(): Promise<void> {
  const [link] = await store.links();
  if (!link) return;
  const { shipmentId, sent } = link;
  lastRead = Date.now();
  try {
    const client = clientOf(link, service);
    const shipment = await client.getShipment({ shipment_id: shipmentId });
    const tracking = await client.getTracking({ tracking_number: shipment.tracking_number });
    const zones = await readZones(shipment, link.zones);
    const first = link.knownDestination === undefined && { knownDestination: destinationText(shipment) };
    await store.change(shipmentId, { shipment, tracking, sent, zones, closed: undefined, ...first });
    isUnreachable = false;
    sender.wake();
  } catch (error) {
    const failure = failureOf(error);
    isUnreachable = failure.kind === 'retry';
    if (failure.kind === 'retry') sender.fail(failure.isOffline);
    const reason = failure.kind === 'closed' ? failure.reason : failure.kind === 'refused' ? 'unknown' : undefined;
    if (reason && (await store.close(link, reason))) return read();
  }
  await draw();
}

type Zones = NonNullable<Link['zones']>;

/** The time zones of the places of a shipment, asked for once. Without them, the page has the times of the phone. */
async function readZones({ origin, destination }: Shipment, known: Zones = {}): Promise<Zones> {
  const zones = { ...known };
  for (const query of [origin, destination].map(zoneQuery)) {
    if (query in zones) continue;
    const zone = await readZone(query);
    if (zone !== undefined) zones[query] = zone;
  }
  return zones;
}

const actions: Actions = {
  async add(action, files, happened) {
    const { shipmentId } = view?.link ?? {};
    if (!shipmentId) return 'impossible';
    const { at = clock.now().toISOString(), ...place } = happened ?? {};
    const item = {
      shipmentId,
      action: { ...action, ...place },
      renewals: 0,
      at,
      isPhoneTime: !happened && clock.offset() === undefined,
      key: crypto.randomUUID(),
      files: files.map((file) => ({ ...file, key: crypto.randomUUID() })),
      heldUntil: Date.now() + holdTime,
    };
    // Whoever does not share the location is asked for it only by the form of the proof.
    const isPlaced = !happened && (action.kind === 'proof' || (isSomewhere(action) && shared.includes(shipmentId)));
    const known = isPlaced && fix && isNow(fix) ? fix : undefined;
    const refusal = await store.add(known ? withFix(item, known, clock.offset() ?? 0) : item, form?.name);
    if (isPlaced && !known && !refusal) void locateLater(item);
    await changed();
    return refusal;
  },
  find,
  open(name) {
    if (history.state?.form) return; // a second tap before the form is shown
    const { link } = view ?? {};
    history.pushState({ form: name, shipmentId: link?.shipmentId, submissions: submissionsOf(link, name) }, '');
    void showForm();
  },
  close() {
    if (!history.state?.form) return;
    history.replaceState(null, ''); // a second tap must not go back again
    history.back();
  },
  saveDraft({ shipmentId, name }, change) {
    void store.saveDraft(shipmentId, name, change).catch(() => {}); // without room, the form still has it
  },
  async takeBack({ id }) {
    const name = await store.takeBack(id);
    await changed();
    sender.wake();
    if (name) actions.open(name);
  },
  share: (isSharing) => void changeLink({ isSharing }),
  confirmDestination() {
    const { shipmentId, shipment } = view?.link ?? {};
    if (shipmentId && shipment)
      void store.change(shipmentId, { knownDestination: destinationText(shipment) }).then(changed);
  },
  show: (shipmentId) => void store.open(shipmentId).then(changed).then(read),
  resend: (item, code) =>
    void store
      .replace(item.refusal ? resent(item, clock.now(), code) : item, item.key)
      .then(changed)
      .then(() => sender.retry(item.shipmentId)),
  discard: (item) => void store.remove(item).then(changed).then(sender.wake),
  reload: () => void read(),
};

async function changeLink(change: { isSharing: boolean }): Promise<void> {
  newest++; // the page shows the change, and what is being read has not got it
  const { shipmentId } = view?.link ?? {};
  if (shipmentId) {
    // From the next position on, which may come before the store has the change.
    shared = [...shared.filter((id) => id !== shipmentId), ...(change.isSharing ? [shipmentId] : [])];
    await store.change(shipmentId, change);
  }
  await changed();
}

interface FormState {
  form: FormName;
  shipmentId: string;
  /** When it was opened. */
  submissions: number;
}

/** Shows the form of the entry of the history with its draft, if it can be used now; else the shipment. */
async function showForm(): Promise<void> {
  const { state } = history as { state: FormState | null };
  const [[link], items] = await Promise.all([store.links(), store.items()]);
  const isOpen =
    state?.form &&
    link?.shipmentId === state.shipmentId &&
    submissionsOf(link, state.form) === state.submissions &&
    opensForm(statusOf(link, items), state.form);
  if (state?.form && !isOpen) history.replaceState(null, '');
  form = isOpen
    ? {
        name: state.form,
        shipmentId: state.shipmentId,
        draft: await store.draft(state.shipmentId, state.form),
        number: ++opened,
      }
    : undefined;
  scrollTo(0, 0);
  await draw();
}

/** Stores the link of the fragment, and removes it from the address bar and the history. */
async function adoptLink(): Promise<void> {
  const link = linkOf(location.hash);
  form = undefined;
  if (link) await store.open(link.shipmentId, link.token);
  if (location.hash) history.replaceState(null, '', location.pathname); // a reload before this reads it again
  await changed();
  await showForm();
  sender.wake();
  await read();
}

guardTaps();
channel.onmessage = () => void draw();
addEventListener('hashchange', () => void adoptLink());
addEventListener('popstate', () => void showForm());
addEventListener('pagehide', () => {
  isLeaving = true;
});
addEventListener('pageshow', () => {
  isLeaving = false;
});
addEventListener('online', () => {
  sender.wake();
  void read();
});
addEventListener('offline', () => void draw());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void read();
  // Nobody can undo what a phone in a pocket shows, and soon its page may not run. A page that is loaded again still holds.
  else if (!isLeaving) void release();
});
setInterval(() => {
  if (!document.hidden && (isUnreachable || Date.now() - lastRead >= interval)) void read();
}, shortInterval);
void navigator.serviceWorker?.register('worker.js').catch(() => {}); // without it, the page needs the network to open
void navigator.storage?.persist?.().catch(() => {});
await adoptLink();
