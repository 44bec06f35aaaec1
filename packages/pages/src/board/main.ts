/** The board: the shipments of an account, as they change. */
import type { Client } from '@waybill/client';
import { h, render } from 'preact';
import { clientOf, followBoard, maxHistory, type Observer, type Snapshot } from './feed.ts';
import { figuresOf } from './figures.ts';
import { boardPage } from './page.ts';
import { boardOf, entries, type Moment } from './punctuality.ts';
import { applyEvent, hasRoom, prune, type Row, type Rows } from './rows.ts';
import { findShipment, type Loaded, readPictures, readRoute, readRow, unloaded } from './shipment.ts';
import type { Actions, View } from './view.ts';

/** Milliseconds after which the times on the page are drawn again. */
const tick = 15_000;
/** Milliseconds after which a change of the feed is drawn, with those that follow it. */
const drawInterval = 200;

const locale = 'en-US';
const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
const storedKey = 'waybill-board-key';
const root = document.querySelector('#app') as HTMLElement;
const baseUrl = root.dataset.api ?? '';
const entryOf = entries();

let client: Client | undefined;
let rows: Rows | undefined;
let history: Snapshot | undefined;
let figures: View['figures'];
let moment: Moment = { now: Date.now(), zone };
let isScheduled = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** What gets the focus after the next drawing. */
let focusNext: string | undefined;

const view: View = {
  closed: undefined,
  connection: 'loading',
  board: undefined,
  isCut: false,
  filter: 'all',
  query: '',
  clock: { locale, now: new Date(moment.now), zone },
  notFound: undefined,
  screen: 'shipments',
  figures: undefined,
  selected: undefined,
};

/** Draws the changes of the feed, a few times a second. */
function drawSoon(): void {
  timer ??= setTimeout(draw, drawInterval);
}

/** Draws the page with the next frame, once for all changes until then. */
function draw(): void {
  clearTimeout(timer);
  timer = undefined;
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    view.clock = { locale, now: new Date(moment.now), zone };
    const { filter, query } = view;
    view.board = rows && boardOf(rows, (row) => entryOf(row, moment), { filter, query, moment });
    view.figures = figuresNow();
    render(h(boardPage, { view, actions }), root);
    if (focusNext) document.querySelector<HTMLElement>(focusNext)?.focus();
    focusNext = undefined;
  });
}

/** The figures. They are made again only after a change that can be in them. */
function figuresNow(): View['figures'] {
  if (!history || figures) return figures;
  const all = [...history.rows.values()];
  figures = { figures: figuresOf(all, zone), history, count: all.length };
  return figures;
}

const observer: Observer = {
  load(snapshot) {
    rows = snapshot.rows;
    view.isCut = snapshot.isCut;
    refresh();
    draw();
  },
  loadHistory(snapshot) {
    history = snapshot;
    figures = undefined;
    draw();
  },
  change(event) {
    if (history && applyEvent(history.rows, event) && !event.data.tracking_change) figures = undefined;
    if (!rows) return;
    if (event.type === 'shipment.created' && !hasRoom(rows)) {
      view.isCut = true;
      draw();
      return;
    }
    const number = applyEvent(rows, event);
    if (!number) return;
    refresh(number);
    drawSoon();
  },
  connect(connection) {
    if (view.connection === connection) return;
    view.connection = connection;
    draw();
  },
  close(reason) {
    view.closed = reason;
    sessionStorage.removeItem(storedKey);
    draw();
  },
};

/** Shows the changes of the shipment whose page is open. @param number of the one that has changed; undefined for all */
function refresh(number?: string): void {
  const { selected } = view;
  if (!selected || (number !== undefined && number !== selected.row?.tracking.tracking_number)) return;
  const row = rowOfId(selected.id);
  if (row) void load({ ...selected, row });
}

const rowOfId = (id: string): Row | undefined => [...(rows?.values() ?? [])].find(({ shipment }) => shipment.id === id);

/** Shows a shipment, and reads what the board does not have of it. */
async function load(opened: Loaded): Promise<void> {
  const before = view.selected;
  view.selected = opened;
  draw();
  if (!client || view.closed) return;
  const isOpen = (): boolean => view.selected?.id === opened.id;
  const change = (changes: Partial<Loaded>): void => {
    if (view.selected && isOpen()) view.selected = { ...view.selected, ...changes };
    draw();
  };
  if (!opened.row) change(await readRow(client, opened.id));
  const row = view.selected?.row;
  if (!row || !isOpen()) return;
  const { tracking } = row;
  const earlier = before?.id === opened.id ? before.row?.tracking : undefined;
  const isNew = <Name extends keyof typeof tracking>(name: Name): boolean => earlier?.[name] !== tracking[name];
  const { current_location: last } = tracking;
  const { positions } = opened;
  if (!positions) void readRoute(client, row).then(change, () => {});
  else if (isNew('current_location') && last) change({ positions: [...positions, last] });
  if (isNew('status') || isNew('exceptions'))
    void readPictures(client, row).then(change, () => change({ proof: null }));
}

const actions: Actions = {
  search(query) {
    view.query = query;
    view.notFound = undefined;
    draw();
  },
  async look() {
    const query = view.query.trim();
    if (!client || query === '') return;
    const [only, ...others] = view.board?.shown ?? [];
    const id =
      only && others.length === 0 ? only.row.shipment.id : await findShipment(client, query).catch(() => undefined);
    if (id) actions.select(id);
    else if (!only) view.notFound = query;
    draw();
  },
  filter(filter) {
    view.filter = filter;
    draw();
  },
  open(screen) {
    view.screen = screen;
    draw();
  },
  select(shipmentId) {
    location.hash = shipmentId ?? '';
  },
};

/** Shows the shipment that the fragment names. A link in it replaces the key. */
function readFragment(): void {
  const fragment = decodeURIComponent(location.hash.slice(1));
  if (/^wbk_/.test(fragment)) {
    const [key = '', shipmentId = ''] = fragment.split('/');
    sessionStorage.setItem(storedKey, key);
    // The key is in no history, and a link that is copied from the address bar does not have it.
    window.history.replaceState(null, '', `${location.pathname}${shipmentId && `#${shipmentId}`}`);
    if (client) location.reload();
  }
  const id = location.hash.slice(1);
  if (!id) {
    if (view.selected) focusNext = `a[href="#${view.selected.id}"]`;
    view.selected = undefined;
  } else if (view.selected?.id !== id) {
    view.screen = 'shipments';
    focusNext = '#details-title';
    void load(unloaded(id, rowOfId(id)));
  }
  draw();
}

/** Removes what neither the list nor the figures show. */
function forget(): void {
  if (rows) prune(rows, { startOfDay: startOfDay(), kept: view.selected?.id });
  if (!history) return;
  const excess = [...history.rows.keys()].slice(0, -maxHistory);
  if (excess.length === 0) return;
  for (const number of excess) history.rows.delete(number);
  history = { rows: history.rows, isCut: true };
  figures = undefined;
}

function startOfDay(): number {
  return new Date().setHours(0, 0, 0, 0);
}

readFragment();
addEventListener('hashchange', readFragment);
setInterval(() => {
  moment = { now: Date.now(), zone };
  forget();
  draw();
}, tick);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
});
const key = sessionStorage.getItem(storedKey);
if (key) {
  try {
    client = clientOf(key, baseUrl);
    void followBoard(key, baseUrl, startOfDay, observer);
  } catch {
    observer.close('unknown'); // a key with characters that no key has
  }
} else {
  view.closed = 'none';
}
draw();
