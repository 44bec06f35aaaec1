/** The board: the shipments of an account, as they change. */
import type { Client } from '@waybill/client';
import { render } from 'preact';
import { fragmentOf } from '../link/fragment.ts';
import { browserZone } from '../text/zones.ts';
import { askForKey, shareKey, storedKey, storeKey } from './key.ts';
import { BoardPage } from './page.tsx';
import { clientOf, followBoard, type Observer } from './shipments/feed.ts';
import { figureDays, figuresOf } from './shipments/figures.ts';
import { type History, maxHistory, maxOfDay, readMissing, readMore, refreshTotals } from './shipments/loading.ts';
import { onZone } from './shipments/place-clocks.ts';
import { boardOf, entries, type Moment } from './shipments/punctuality.ts';
import { applyEvent, maxRows, numberOf, prune, type Row } from './shipments/rows.ts';
import {
  findShipment,
  type Loaded,
  readDocuments,
  readNearCity,
  readPictures,
  readPlaces,
  readRoute,
  readRow,
  unloaded,
} from './shipments/shipment.ts';
import { locale } from './texts.ts';
import type { Actions, View } from './view.ts';

/** Milliseconds after which the times on the page are drawn again. */
const tick = 15_000;
/** Milliseconds after which a change of the feed is drawn, with those that follow it. */
const drawInterval = 200;

/** Rows that are drawn, and those that are drawn when the end of the list is in sight. */
const rowsOfPage = 100;
/** Milliseconds between two readings of the numbers in the account, when nothing has changed. */
const totalsInterval = 60_000;
/** Shipments of events that wait to be read. */
const maxMissing = 100;

const searchField = 'input[type=search]';
const rowLinks = '.list td.number a';

const zone = browserZone();
const root = document.querySelector('#app') as HTMLElement;
const baseUrl = root.dataset.api ?? '';
const entryOf = entries();

let client: Client | undefined;
let history: History | undefined;
/** The numbers of shipments that are not loaded and have changed. */
const missing = new Set<string>();
let isReading = false;
let isLoadingMore = false;
/** Whether the numbers in the account may be others. */
let isOutdated = false;
let figures: View['figures'];
let moment: Moment = { now: Date.now(), zone };
/** When the numbers in the account were read. */
let totalsAt = moment.now;
let isScheduled = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** What gets the focus after the next drawing. */
let focusNext: string | undefined;

const view: View = {
  closed: undefined,
  connection: 'loading',
  board: undefined,
  snapshot: undefined,
  filter: 'active',
  query: '',
  visible: rowsOfPage,
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
    const { filter, query, snapshot } = view;
    view.board = snapshot && boardOf(snapshot.rows, (row) => entryOf(row, moment), { filter, query, moment });
    view.figures = figuresNow();
    render(<BoardPage view={view} actions={actions} />, root);
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
    view.snapshot = snapshot;
    readAgain();
    draw();
  },
  loadHistory(snapshot) {
    history = snapshot;
    figures = undefined;
    draw();
  },
  change(event) {
    if (event.data.document_change) {
      if (numberOf(event) === view.selected?.row?.tracking.tracking_number) readAgain();
      return;
    }
    if (history && applyEvent(history.rows, event) && !event.data.tracking_change) {
      figures = undefined;
      drawSoon();
    }
    const { snapshot } = view;
    if (!snapshot) return;
    const isMove = event.data.tracking_change !== undefined;
    if (snapshot.totals && !isMove) isOutdated = true;
    if (event.type === 'shipment.created' && snapshot.rows.size >= maxRows) return;
    const number = applyEvent(snapshot.rows, event);
    if (!number) {
      // A void may make a shipment active again that ended before today.
      if ((snapshot.totals && !isMove) || event.type === 'tracking.event_voided') readLater(numberOf(event));
      return;
    }
    refresh(number);
    drawSoon();
  },
  connect(connection) {
    if (view.connection === connection) return;
    if (view.connection === 'interrupted') readAgain();
    view.connection = connection;
    draw();
  },
  close(reason) {
    view.closed = reason;
    storeKey(undefined);
    draw();
  },
};

/** Shows the changes of the shipment whose page is open. @param number of the one that has changed */
function refresh(number: string): void {
  const { selected } = view;
  if (number !== selected?.row?.tracking.tracking_number) return;
  const row = rowOfId(selected.id);
  if (row) void load({ ...selected, row });
}

/** Reads the shipment whose page is open again: its changes during an interruption are not known. */
function readAgain(): void {
  const { selected } = view;
  if (selected) void load({ ...selected, row: rowOfId(selected.id) ?? selected.row }, true);
}

/** Reads a shipment that is not loaded, after those that wait already. */
function readLater(number: string | undefined): void {
  if (number === undefined || missing.size >= maxMissing) return;
  missing.add(number);
  if (!isReading) void readAllMissing();
}

async function readAllMissing(): Promise<void> {
  isReading = true;
  for (const number of missing) {
    const { snapshot } = view;
    if (client && snapshot && snapshot.rows.size < maxRows)
      await readMissing(client, snapshot, number).then(drawSoon, () => {}); // the next event of it tries again
    missing.delete(number);
  }
  isReading = false;
}

const rowOfId = (id: string): Row | undefined =>
  [...(view.snapshot?.rows.values() ?? [])].find(({ shipment }) => shipment.id === id);

/** Shows a shipment, and reads what the board does not have of it. @param isAgain reads all of it */
async function load(opened: Loaded, isAgain = false): Promise<void> {
  const before = view.selected;
  view.selected = opened;
  draw();
  if (!client || view.closed) return;
  const isOpen = (): boolean => view.selected?.id === opened.id;
  const change = (changes: Partial<Loaded>): void => {
    if (view.selected && isOpen()) view.selected = { ...view.selected, ...changes };
    draw();
  };
  if (!opened.row || (isAgain && !rowOfId(opened.id))) {
    const read = await readRow(client, opened.id);
    if (read.row || !opened.row) change(read);
  }
  const row = view.selected?.row;
  if (!row || !isOpen()) return;
  const { tracking } = row;
  const earlier = before?.id === opened.id ? before.row?.tracking : undefined;
  const isNew = <Name extends keyof typeof tracking>(name: Name): boolean => earlier?.[name] !== tracking[name];
  const { current_location: last } = tracking;
  const { positions } = opened;
  if (!positions || isAgain) void readRoute(client, row).then(change, () => {});
  else if (isNew('current_location') && last) change({ positions: [...positions, last] });
  if (isAgain || isNew('current_location')) void readNearCity(row).then(change);
  if (isAgain || isNew('status') || isNew('exceptions'))
    void readPictures(client, row).then(change, () => change({ proof: null }));
  if (isAgain || !earlier) {
    void readDocuments(client, row).then(change, () => {});
    void readPlaces(row).then(change);
  }
}

const actions: Actions = {
  search(query) {
    view.query = query;
    view.visible = rowsOfPage;
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
    else if (only) focusNext = rowLinks;
    else view.notFound = query;
    draw();
  },
  filter(filter) {
    view.filter = filter;
    view.screen = 'shipments';
    view.visible = rowsOfPage;
    draw();
  },
  async more() {
    const { snapshot, board, visible } = view;
    if (isLoadingMore || !snapshot || !board) return;
    isLoadingMore = true;
    if (client && board.shown.length < visible + rowsOfPage)
      await readMore(client, snapshot).catch(() => new Promise((resolve) => setTimeout(resolve, tick)));
    if (view.board && view.board.shown.length >= visible) view.visible += rowsOfPage;
    isLoadingMore = false;
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
  const fragment = fragmentOf(location.hash);
  if (/^wbk_/.test(fragment)) {
    const [key = '', shipmentId = ''] = fragment.split('/');
    storeKey(key);
    // The key is in no history, and a link that is copied from the address bar does not have it.
    window.history.replaceState(null, '', `${location.pathname}${location.search}${shipmentId && `#${shipmentId}`}`);
    if (client) location.reload();
  }
  const id = fragmentOf(location.hash);
  if (!id) {
    if (view.selected) focusNext = `a[href="#${CSS.escape(view.selected.id)}"]`;
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
  if (view.snapshot) prune(view.snapshot.rows, { startOfDay: startOfDay(), kept: view.selected?.id });
  if (!history) return;
  const excess = [...history.rows.keys()].slice(0, -maxHistory - figureDays * maxOfDay);
  if (excess.length === 0) return;
  for (const number of excess) history.rows.delete(number);
  history = { rows: history.rows, isSample: true };
  figures = undefined;
}

function startOfDay(): number {
  return new Date().setHours(0, 0, 0, 0);
}

/** Reads the numbers in the account again, while not all of its shipments are loaded. */
async function refreshAccount(): Promise<void> {
  const { snapshot } = view;
  if (!client || !snapshot?.totals || view.closed) return;
  if (!isOutdated && moment.now - totalsAt < totalsInterval) return;
  isOutdated = false;
  totalsAt = moment.now;
  await refreshTotals(client, snapshot).then(draw, () => {
    isOutdated = true;
  });
}

/** Starts the board with the key of this tab, or of another one that shows the shipment. */
async function start(): Promise<void> {
  const id = fragmentOf(location.hash);
  if (!storedKey() && id) storeKey(await askForKey(id));
  const key = storedKey();
  if (!key) {
    view.closed = 'none';
    draw();
    return;
  }
  client = clientOf(key, baseUrl);
  void followBoard(key, baseUrl, startOfDay, observer);
  readFragment();
}

/** Ends the search: what is typed next is not for it. */
function leaveSearch(field: HTMLInputElement): void {
  field.blur();
  if (view.query) actions.search('');
}

/**
 * Moves the focus from the search or a row to the next row, or back. From nowhere, to the first row.
 * @returns whether it has moved
 */
function moveFocus(from: EventTarget | null, step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>(rowLinks)];
  const index = links.indexOf(from as HTMLElement);
  const isOutside = from instanceof HTMLInputElement || from === document.body;
  if (index < 0 && !(isOutside && step === 1)) return false;
  const next = index === 0 && step === -1 ? document.querySelector<HTMLElement>(searchField) : links[index + step];
  next?.focus();
  return next !== null && next !== undefined;
}

document.documentElement.lang = locale;
readFragment();
addEventListener('hashchange', readFragment);
shareKey((id) => view.selected?.id === id || rowOfId(id) !== undefined);
onZone(drawSoon);
addEventListener('offline', draw);
addEventListener('online', draw);
setInterval(() => {
  moment = { now: Date.now(), zone };
  forget();
  void refreshAccount();
  draw();
}, tick);
addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isSearch = target instanceof HTMLInputElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Escape') {
    if (isSearch) leaveSearch(target);
    else if (view.selected) actions.select(undefined);
  } else if (key === '/' && !isSearch) {
    event.preventDefault();
    document.querySelector<HTMLInputElement>(searchField)?.focus();
  } else if ((key === 'ArrowDown' || key === 'ArrowUp') && moveFocus(target, key === 'ArrowDown' ? 1 : -1)) {
    event.preventDefault();
  }
});
void start();
