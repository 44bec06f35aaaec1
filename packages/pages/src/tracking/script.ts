/** The script of the tracking page. Without it, the page is complete but does not change. */
import { type Connection, shownConnection } from '../link/connection.ts';
import { browserZone } from '../text/zones.ts';

/** Milliseconds between two readings of the page while there is no live connection. */
const pollInterval = 60_000;
/** A vehicle that moves causes many changes: the page is read at most so often. */
const leastPause = 3_000;

const { body } = document;
const connection = document.querySelector<HTMLElement>('#connection');
let isReading = false;
let isWaiting = false;
let lastRead = Date.now();
let source: EventSource | undefined;
/** Aborts when the link has ended. */
const end = new AbortController();

const pageUrl = (): string => {
  const url = new URL(location.href);
  if (body.dataset.zone !== 'place') url.searchParams.set('zone', browserZone());
  url.hash = '';
  return url.href;
};

/** Shows the state of the connection, unless the page is live. */
function show(state: Connection): void {
  const text = connection?.dataset[shownConnection(state)] ?? '';
  if (connection && connection.textContent !== text) connection.textContent = text;
}

/** Replaces the parts of the page that differ. New signatures of the same files are no difference. */
function replaceParts(next: Document): void {
  const comparable = (element: Element): string =>
    element.outerHTML.replace(/(href|src)="[^"]*\/files\/[^"]*"/g, '$1').replace(/ hidden(="")?/g, '');
  const [from, to] = [document.querySelector('main'), next.querySelector('main')];
  if (!from || !to) return;
  const parts = (root: Element): string => [...root.querySelectorAll('[id]')].map(({ id }) => id).join();
  if (parts(from) !== parts(to)) {
    from.replaceWith(to);
  } else {
    for (const part of to.querySelectorAll('.hero, .grid > *')) {
      const current = document.getElementById(part.id);
      if (current && comparable(current) !== comparable(part)) current.replaceWith(part);
    }
  }
  const zone = next.querySelector('#zone');
  if (zone) document.querySelector('#zone')?.replaceWith(zone);
  document.title = next.title;
  for (const name of ['zone', 'timeZone']) body.dataset[name] = next.body.dataset[name] ?? '';
  prepare();
}

/** Reads the page again. A link that has ended shows its own page. */
async function read(): Promise<void> {
  if (isReading) {
    isWaiting = true;
    return;
  }
  isReading = true;
  try {
    const response = await fetch(pageUrl(), { headers: { accept: 'text/html' }, cache: 'no-store' });
    if (response.status === 404 || response.status === 410) {
      source?.close();
      clearInterval(timer);
      end.abort();
      document.documentElement.replaceWith(parse(await response.text()).documentElement);
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    replaceParts(parse(await response.text()));
    lastRead = Date.now();
    show(source?.readyState === EventSource.OPEN ? 'live' : 'interrupted');
  } catch {
    show('interrupted');
  } finally {
    setTimeout(() => {
      isReading = false;
      if (isWaiting) void read();
      isWaiting = false;
    }, leastPause);
  }
}

const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Follows the changes of the shipment. The service sends only that there is a change, and the page is read again. */
function follow(): void {
  source = new EventSource(`${location.pathname}/live`);
  source.onopen = () => {
    show('live');
    void read(); // there may have been a change before
  };
  source.addEventListener('change', () => void read());
  source.onerror = () => {
    show('interrupted');
    if (source?.readyState === EventSource.CLOSED) void read(); // the link may have ended
  };
}

function tick(): void {
  showAge();
  if (document.hidden) return;
  if (source?.readyState === EventSource.CLOSED) follow();
  if (source?.readyState !== EventSource.OPEN && Date.now() - lastRead >= pollInterval - 1_000) void read();
}

/** "3 minutes ago" instead of a time. */
function showAge(): void {
  const time = document.querySelector<HTMLTimeElement>('[data-relative]');
  const minutes = Math.round((Date.now() - lastRead) / 60_000);
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
  if (time) time.textContent = minutes === 0 ? format.format(0, 'second') : format.format(-minutes, 'minute');
}

const actions: Record<string, (button: HTMLElement) => Promise<void> | void> = {
  print: () => print(),
  async share(button) {
    const url = location.href;
    if (navigator.share) return void (await navigator.share({ title: document.title, url }).catch(() => {}));
    await navigator.clipboard.writeText(url);
    button.textContent = button.dataset.done ?? '';
  },
};

/** Without HTTPS, browsers can neither share nor copy. */
const canShare = 'share' in navigator || 'clipboard' in navigator;

/** Whether clocks of a time zone show the same time as the visitor's, in summer and in winter. Old browsers lack new zones. */
function isSameTime(timeZone = ''): boolean {
  const textOf = (options: Intl.DateTimeFormatOptions): string => {
    const { format } = new Intl.DateTimeFormat('en', {
      ...options,
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    return [0, 182].map((days) => format(Date.now() + days * 86_400_000)).join();
  };
  try {
    return textOf({ timeZone }) === textOf({});
  } catch {
    return false;
  }
}

/** Shows the buttons that need this script, and no names of the visitor's own time zone. */
function prepare(): void {
  body.classList.toggle('same-zone', isSameTime(body.dataset.timeZone));
  for (const button of document.querySelectorAll<HTMLElement>('[data-action]')) {
    button.hidden = button.dataset.action === 'share' && !canShare;
    button.onclick = () => void actions[button.dataset.action ?? '']?.(button);
  }
  showAge();
}

const timer = setInterval(tick, 15_000);
const { signal } = end;
document.addEventListener('visibilitychange', tick, { signal });
addEventListener('offline', () => show('offline'), { signal });
addEventListener('online', () => void read(), { signal });
prepare();
follow();
