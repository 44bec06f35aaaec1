/** The driver page: one shipment on the phone of its driver, with or without a network. */
import { h, render } from 'preact';
import { ProblemForm, ProofForm } from './forms.ts';
import { type Actions, closedScreen, homeScreen, statusOf, type View } from './home.ts';
import { type Fix, follow } from './location.ts';
import { languageOf } from './messages/languages.ts';
import { failureOf, linkOf, resent } from './queue.ts';
import { clientOf, createSender, followsPositions } from './sender.ts';
import { openStore } from './store.ts';

/** Milliseconds between two readings of the shipment, and between two requests with positions. */
const interval = 30_000;
/** The same after a reading that has failed. */
const shortInterval = 5_000;

const { messages, locale } = languageOf(navigator.languages);
document.documentElement.lang = locale;
const root = document.querySelector('#app') as HTMLElement;
const baseUrl = root.dataset.api ?? '';
const store = await openStore();
/** Tells the other tabs that the store has changed. */
const channel = new BroadcastChannel('waybill-driver');
const sender = createSender(store, baseUrl, changed);

let form: View['form'];
let view: View | undefined;
let isUnreachable = false;
let lastRead = 0;
let fix: Fix | undefined;
let isLocationRefused = false;
let endFollowing: (() => void) | undefined;
/** The number of the newest reading of the store. */
let newest = 0;

/** Reads the store again and shows it, unless it changes meanwhile. */
async function draw(): Promise<void> {
  const own = ++newest;
  const [[link, ...others], items] = await Promise.all([store.links(), store.items()]);
  if (own !== newest) return;
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
  const clock = { locale, now: new Date(), zone };
  view = { messages, clock, link, isUnreachable, others, items, sender: sender.state(), fix, isLocationRefused, form };
  followPosition(view);
  document.title = link?.tracking ? `${link.tracking.tracking_number}: ${messages.title}` : messages.title;
  render(h(Screen, { view }), root);
}

function Screen({ view: shown }: { view: View }) {
  const { link } = shown;
  if (!link?.shipment || !link.tracking || link.closed) return closedScreen(shown, actions);
  if (shown.form === 'proof') return h(ProofForm, { view: shown, actions });
  if (shown.form === 'wrong') return h(ProblemForm, { view: shown, actions });
  if (shown.form === 'nobody') return h(ProblemForm, { view: shown, actions, known: 'nobody_there' });
  return homeScreen(shown, actions);
}

async function changed(): Promise<void> {
  channel.postMessage(null);
  await draw();
}

/** Follows the position while the driver agrees and the shipment is carried. */
function followPosition(shown: View): void {
  const { link } = shown;
  const isWanted = link?.isSharing && !link.closed && followsPositions(statusOf(shown));
  if (isWanted && !endFollowing) {
    endFollowing = follow(
      (found) => {
        fix = found;
        const { shipmentId } = view?.link ?? {};
        if (shipmentId) void store.addPosition({ shipmentId, position: found });
      },
      () => {
        isLocationRefused = true;
        void draw();
      },
    );
  } else if (!isWanted && endFollowing) {
    endFollowing();
    endFollowing = undefined;
    isLocationRefused = false;
  }
}

/** Reads the shipment that is shown. */
async function read(): Promise<void> {
  const [link] = await store.links();
  if (!link) return;
  const { shipmentId } = link;
  lastRead = Date.now();
  try {
    const client = clientOf(link, baseUrl);
    const shipment = await client.getShipment({ shipment_id: shipmentId });
    const tracking = await client.getTracking({ tracking_number: shipment.tracking_number });
    await store.change(shipmentId, { shipment, tracking, closed: undefined });
    isUnreachable = false;
    sender.wake();
  } catch (error) {
    const failure = failureOf(error);
    isUnreachable = failure.kind === 'retry';
    if (failure.kind === 'retry') sender.fail(failure.isOffline);
    if (failure.kind === 'closed') await store.close(link, failure.reason);
    if (failure.kind === 'refused') await store.close(link, 'unknown');
  }
  await draw();
}

const actions: Actions = {
  async add(action, files) {
    const { shipmentId } = view?.link ?? {};
    if (!shipmentId) return 'impossible';
    const refusal = await store.add({
      shipmentId,
      action,
      renewals: 0,
      at: new Date().toISOString(),
      key: crypto.randomUUID(),
      files: files.map((file) => ({ ...file, key: crypto.randomUUID() })),
    });
    await changed();
    sender.wake();
    return refusal;
  },
  open(next) {
    form = next;
    scrollTo(0, 0);
    void draw();
  },
  share: (isSharing) => void changeLink({ isSharing }),
  show: (shipmentId) => void store.open(shipmentId).then(changed).then(read),
  resend: (item, code) =>
    void store
      .replace(resent(item, new Date(), code))
      .then(changed)
      .then(sender.wake),
  discard: (item) => void store.remove(item).then(changed).then(sender.wake),
  reload: () => void read(),
};

async function changeLink(change: { isSharing: boolean }): Promise<void> {
  newest++; // the page shows the change, and what is being read has not got it
  if (view?.link) await store.change(view.link.shipmentId, change);
  await changed();
}

/** Stores the link of the fragment, and removes it from the address bar and the history. */
async function adoptLink(): Promise<void> {
  const link = linkOf(location.hash);
  form = undefined;
  if (link) await store.open(link.shipmentId, link.token);
  if (location.hash) history.replaceState(null, '', location.pathname); // a reload before this reads it again
  await changed();
  sender.wake();
  await read();
}

channel.onmessage = () => void draw();
addEventListener('hashchange', () => void adoptLink());
addEventListener('online', () => {
  sender.wake();
  void read();
});
addEventListener('offline', () => void draw());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void read();
});
setInterval(() => {
  if (!document.hidden && (isUnreachable || Date.now() - lastRead >= interval)) void read();
}, shortInterval);
void navigator.serviceWorker?.register('worker.js').catch(() => {}); // without it, the page needs the network to open
void navigator.storage?.persist?.().catch(() => {});
await adoptLink();
