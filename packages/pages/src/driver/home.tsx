import type { Shipment } from '@waybill/client';
import { entryOf, furthest, isFinal, isStatus } from '@waybill/contract/statuses';
import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { mark } from '../frame/mark.tsx';
import { shownConnection } from '../link/connection.ts';
import type { DriverMessages } from '../messages/messages.ts';
import { exceptionText } from '../messages/text-of.ts';
import { addressLines } from '../text/addresses.ts';
import { freightText, referenceFacts } from '../text/facts.ts';
import { itemList } from '../text/items.tsx';
import { phoneUrl } from '../text/phone.ts';
import { type Clock, rangeText, shortText, timeText } from '../text/times.ts';
import { isolated, userText, withUserText } from '../text/user-text.tsx';
import {
  type Action,
  codesIn,
  type Draft,
  draftOf,
  endsSame,
  type FormName,
  type Happened,
  hasReached,
  isHandoverCode,
  isReport,
  needsChange,
  needsCode,
  nextStep,
  type QueueItem,
  type Step,
  statusAfter,
  stepsFrom,
} from './queue.ts';
import { followsPositions, type SenderState } from './sender.ts';
import type { Link } from './store.ts';

/** An open form with what was stored of it; `number` counts the forms. */
export interface OpenForm {
  name: FormName;
  shipmentId: string;
  draft: Draft;
  number: number;
}

/** What the page shows. */
export interface View {
  messages: DriverMessages;
  clock: Clock;
  /** The shipment that is shown. */
  link: Link | undefined;
  /** The shipment could not be read the last time. */
  isUnreachable: boolean;
  /** The other shipments of this phone. */
  others: Link[];
  /** What waits, of all shipments. */
  items: QueueItem[];
  sender: SenderState;
  isLocationRefused: boolean;
  form: OpenForm | undefined;
  /** Whose local times the clock shows; undefined for those of the phone. */
  place: string | undefined;
}

/** What the driver can do. */
export interface Actions {
  /** Adds an action, which is held for a while. @param happened unless it happens here and now */
  add(
    action: Action,
    files: { kind: 'signature' | 'photo'; file: Blob }[],
    happened?: Happened,
  ): Promise<'full' | 'impossible' | undefined>;
  /** Asks where the phone is. @returns whether the page knows it then */
  find(): Promise<boolean>;
  open(form: FormName): void;
  close(): void;
  saveDraft(form: Pick<OpenForm, 'name' | 'shipmentId'>, change: Draft): void;
  /** Undoes an action that is held, or opens the form of one that the service has refused. */
  takeBack(item: QueueItem): Promise<void>;
  share(isSharing: boolean): void;
  /** The driver has seen that the destination is another one. */
  confirmDestination(): void;
  show(shipmentId: string): void;
  /** @param code another handover code */
  resend(item: QueueItem, code?: string): void;
  discard(item: QueueItem): void;
  reload(): void;
}

const ownItems = ({ items, link }: Pick<View, 'items' | 'link'>): QueueItem[] =>
  items.filter(({ shipmentId }) => shipmentId === link?.shipmentId);

/** The status of a shipment with all that waits. */
export const statusOf = (link: Link | undefined, items: QueueItem[]): string =>
  statusAfter(link?.tracking?.status ?? '', ownItems({ link, items }));

/** Whether a form can be used in a status. */
export function opensForm(status: string, form: FormName): boolean {
  if (form === 'proof') return nextStep(status) === 'delivered';
  return form === 'wrong' ? codesIn(status).length > 0 : codesIn(status).includes('nobody_there');
}

/** The address where the driver goes next. */
export function placeOf(link: Link | undefined, items: QueueItem[]): Shipment['origin'] | undefined {
  const isLoaded = hasReached(statusOf(link, items), 'picked_up');
  return isLoaded ? link?.shipment?.destination : link?.shipment?.origin;
}

/** The destination as the driver knows it: what is not in it, such as a phone number, is no other place. */
export const destinationText = ({ destination }: Pick<Shipment, 'destination'>): string =>
  [...addressLines(destination), destination.country].join('\n');

const nameOf = ({ action }: QueueItem, messages: DriverMessages): string => {
  const { statuses } = messages;
  if (action.kind === 'event') return statuses[action.status];
  if (action.kind === 'proof') return statuses.delivered;
  if (action.kind === 'void') return messages.undoing(statuses[action.status]);
  const what = exceptionText(action.code, { messages });
  if (action.kind === 'exception') return what;
  return (action.kind === 'resolve' ? messages.ending : messages.undoing)(what);
};

const isOffline = ({ sender }: Pick<View, 'sender'>): boolean =>
  shownConnection(sender.isOffline ? 'offline' : 'live') === 'offline';

function syncOf({ messages: { sync }, items, sender }: View): { text: string; kind: string } {
  const { length } = items;
  if (items.some(({ refusal }) => refusal) || sender.limits.size > 0)
    return { text: sync.stopped(length), kind: 'stopped' };
  if (isOffline({ sender })) return { text: length > 0 ? sync.offlineWaiting(length) : sync.offline, kind: 'wait' };
  if (length === 0) return { text: sync.sent, kind: 'sent' };
  return { text: sender.isSending ? sync.sending(length) : sync.waiting(length), kind: 'wait' };
}

/** The frame of every screen: what is sent and what waits is always shown. */
export function frame(view: View, ...children: ComponentChildren[]): JSX.Element {
  const isKnown = view.items.length > 0 || view.link?.tracking;
  const { text, kind } = isKnown ? syncOf(view) : { text: '', kind: 'none' };
  return (
    <div class="page">
      <header class="top">
        {mark()}
        <span class="mono">{view.link?.tracking?.tracking_number ?? 'Waybill'}</span>
        <span class={`sync ${kind}`} role="status">
          {text}
        </span>
      </header>
      {children}
    </div>
  );
}

/**
 * The screen of a page without HTTPS. Browsers then have no service worker, location, locks and SHA-256, so that the page
 * could lose what the driver does.
 */
export const insecureScreen = ({ closed: { insecure } }: DriverMessages): JSX.Element => (
  <main>
    <section class="stop">
      <h1>{insecure.title}</h1>
      <p>{insecure.text}</p>
    </section>
  </main>
);

/** The screen of a link that shows no shipment. What waits for the shipment stays. */
export function closedScreen(view: View, actions: Actions): JSX.Element {
  const { messages, link, isUnreachable } = view;
  const reason = link ? (link.closed ?? (isUnreachable ? 'offline' : 'loading')) : 'none';
  const { title, text } = messages.closed[reason];
  const { length } = ownItems(view);
  return frame(
    view,
    <main>
      <section class="stop">
        <h1>{title}</h1>
        <p>{text}</p>
        {length > 0 && <p>{messages.waitingForLink(length)}</p>}
        {link && reason !== 'loading' && (
          <button type="button" onClick={actions.reload}>
            {messages.tryAgain}
          </button>
        )}
      </section>
      {dispatcher(view)}
      {link?.closed && waiting(view, actions)}
      {others(view, actions)}
    </main>,
  );
}

/** Where to go, the steps, what waits, and the next step as one large button. */
export function homeScreen(view: View, actions: Actions): JSX.Element {
  const { messages } = view;
  const status = statusOf(view.link, view.items);
  const step = nextStep(status);
  const codes = codesIn(status);
  const openForm = (form: FormName) => () => actions.open(form);
  const takeStep = () =>
    step === 'delivered' ? actions.open('proof') : step && void actions.add({ kind: 'event', status: step }, []);
  return frame(
    view,
    <main>
      {changedDestination(view, actions, status)}
      {steps(view, status)}
      {destination(view, status)}
      {dispatcher(view)}
      {view.link?.isFallback && <p role="alert">{messages.fallback}</p>}
      {sharing(view, actions, status)}
      {recorded(view, actions, status)}
      {status === 'delivered' && <p class="when">{zoneText(view)}</p>}
      {waiting(view, actions)}
      {others(view, actions)}
    </main>,
    // What appears and disappears is on top, so that the buttons below stay where they are.
    <footer>
      {undo(view, actions)}
      {view.items.length > 0 && <p class="note">{messages.kept}</p>}
      <div class="two">
        {codes.length > 0 && (
          <button type="button" onClick={openForm('wrong')}>
            {messages.wrong}
          </button>
        )}
        {codes.includes('nobody_there') && (
          <button type="button" onClick={openForm('nobody')}>
            {messages.nobody}
          </button>
        )}
      </div>
      {step && (
        <button type="button" class="big" onClick={takeStep}>
          {messages.steps[step]}
        </button>
      )}
    </footer>,
  );
}

/** The new address, until the driver has seen it. */
function changedDestination({ messages, link }: View, actions: Actions, status: string): JSX.Element | undefined {
  const { shipment, knownDestination } = link ?? {};
  const isKnown = !shipment || knownDestination === undefined || knownDestination === destinationText(shipment);
  if (isKnown || isFinal(status)) return undefined;
  return (
    <section class="stop moved" role="alert">
      <h2>{messages.addressChanged}</h2>
      <p>{linesOf(shipment.destination)}</p>
      <button type="button" onClick={actions.confirmDestination}>
        {messages.addressSeen}
      </button>
    </section>
  );
}

function dispatcher({ messages, link }: View): JSX.Element | undefined {
  const phone = phoneUrl(link?.shipment?.dispatcher_phone ?? '');
  return phone === undefined ? undefined : (
    <a class="button" href={phone}>
      {messages.callDispatcher}
    </a>
  );
}

const linesOf = (place: Shipment['origin']): ComponentChildren =>
  addressLines(place).map((line, index) => [index > 0 && <br />, userText(line)]);

/** The newest action, as long as it is held. */
function undo(view: View, { takeBack }: Actions): JSX.Element | undefined {
  const { messages } = view;
  const item = ownItems(view).at(-1);
  if (item?.heldUntil === undefined) return undefined;
  return (
    <div class="held">
      <p role="status">{(isOffline(view) ? messages.heldOffline : messages.held)(nameOf(item, messages))}</p>
      <button type="button" onClick={() => void takeBack(item)}>
        {messages.undo}
      </button>
    </div>
  );
}

/** Whose local times the page shows. */
const zoneText = ({ messages, place }: View): ComponentChildren =>
  place ? withUserText(messages.times(isolated(place))) : messages.yourTimes;

function destination(view: View, status: string): JSX.Element {
  const { messages, clock, link } = view;
  const shipment = link?.shipment as Shipment;
  if (status === 'delivered') {
    const text = ownItems(view).length > 0 ? messages.done.waiting : messages.done.sent;
    return (
      <section class="stop done">
        <h1>{messages.statuses.delivered}</h1>
        <p>{text}</p>
      </section>
    );
  }
  if (status === 'cancelled' || status === 'returned' || status === 'lost')
    return (
      <section class="stop">
        <h1>{messages.statuses[status]}</h1>
        <p>{messages.ended[status]}</p>
      </section>
    );
  const isLoaded = hasReached(status, 'picked_up');
  const place = isLoaded ? shipment.destination : shipment.origin;
  const { address, city, state, zip, country, contact_name, contact_phone } = place;
  const window = isLoaded ? shipment.delivery_window : shipment.pickup_window;
  const eta = isLoaded && link?.tracking?.eta;
  const when = window
    ? rangeText(new Date(window.start), new Date(window.end), clock)
    : eta
      ? timeText(new Date(eta), clock)
      : '';
  const { items = [], totals, notes } = shipment;
  const phone = contact_phone && phoneUrl(contact_phone);
  const formats = { ...messages, locale: clock.locale };
  const [hazardous, others] = [items.filter(({ hazmat }) => hazmat), items.filter(({ hazmat }) => !hazmat)];
  const references = referenceFacts(shipment, messages.references);
  const query = encodeURIComponent([address, city, state, zip, country ?? 'US'].filter(Boolean).join(', '));
  // Only Apple's devices do not know geo:.
  const isApple = /iPhone|iPad|Macintosh/.test(navigator.userAgent);
  const map = isApple ? `https://maps.apple.com/?daddr=${query}` : `geo:0,0?q=${query}`;
  return (
    <section class="stop">
      <p class="when">
        {(isLoaded ? messages.deliver : messages.pickUp)(when)}
        <br />
        {zoneText(view)}
      </p>
      <h1>{linesOf(place)}</h1>
      {hazardous.length > 0 && itemList(hazardous, formats)}
      {totals && others.length === 0 && <p>{freightText(totals, formats)}</p>}
      {totals && others.length > 0 && (
        <details>
          <summary>{freightText(totals, formats)}</summary>
          {itemList(others, formats)}
        </details>
      )}
      {references.length > 0 && (
        <p>
          {references.map(([name, text], index) => (
            <span key={`${name} ${index}`}>
              {name} <b>{withUserText(text)}</b>
              <br />
            </span>
          ))}
        </p>
      )}
      {notes && <p class="notes">{userText(notes)}</p>}
      <div class="two">
        <a class="button" href={map} rel="noreferrer">
          {messages.directions}
        </a>
        {phone && (
          <a class="button" href={phone}>
            {withUserText(messages.call(contact_name && isolated(contact_name)))}
          </a>
        )}
      </div>
    </section>
  );
}

function sharing({ messages, link, isLocationRefused }: View, { share }: Actions, status: string) {
  if (!followsPositions(status)) return undefined;
  const onChange = (event: TargetedEvent<HTMLInputElement>) => share(event.currentTarget.checked);
  return (
    <div class="share">
      <label class="choice">
        <input type="checkbox" checked={link?.isSharing} onChange={onChange} />
        {messages.share}
      </label>
      {link?.isSharing && isLocationRefused && <p role="alert">{messages.shareRefused}</p>}
      {link?.leftOut && <p role="status">{messages.leftOut(link.leftOut)}</p>}
    </div>
  );
}

function steps(view: View, status: string): JSX.Element | undefined {
  if (status === 'cancelled') return undefined;
  const { messages, link, clock } = view;
  const items = ownItems(view);
  const voided = items.flatMap(({ action }) => (action.kind === 'void' ? [action.eventId] : []));
  const timeline = (link?.tracking?.timeline ?? []).filter(({ id }) => !voided.includes(id));
  const rows = stepsFrom('scheduled').map((to) => {
    const entry = timeline.find((reached) => reached.status === to);
    const item = items.find(({ action }) =>
      action.kind === 'event' ? action.status === to : action.kind === 'proof' && to === 'delivered',
    );
    const time = entry?.timestamp ?? item?.at;
    if (!time && isFinal(status)) return undefined; // it was skipped, or will not happen
    const isNext = nextStep(status) === to;
    const state = entry ? messages.itemSent : item ? messages.itemWaits : isNext ? messages.itemNext : '';
    return (
      <li class={time ? 'done' : isNext ? 'now' : ''}>
        <i />
        {messages.statuses[to]}
        <span class="mono">
          {time && shortText(new Date(time), clock)} <span>{state}</span>
        </span>
      </li>
    );
  });
  return (
    <ol class="steps" aria-label={messages.progress}>
      {rows}
    </ol>
  );
}

/** The step that the driver can undo, until the shipment has ended: the last one, if it was recorded here. */
function lastStep({ link, items }: Pick<View, 'link' | 'items'>, status: string): Action | QueueItem | undefined {
  const steps = ownItems({ link, items }).filter(({ action }) => !isReport(action));
  const waiting = steps.at(-1);
  if (waiting) return waiting.isTimed || waiting.heldUntil !== undefined ? undefined : waiting;
  const { timeline = [] } = link?.tracking ?? {};
  const entry = entryOf(timeline, status);
  if (isFinal(status) || !entry || !link?.own?.includes(entry.id)) return undefined;
  const others = timeline.flatMap(({ id, status: reached }) => (id !== entry.id && isStatus(reached) ? [reached] : []));
  return { kind: 'void', status: status as Step, eventId: entry.id, back: furthest(others) };
}

/** The last step and the problems of the shipment, with what the driver can end or take back. */
function recorded(view: View, actions: Actions, status: string): JSX.Element | undefined {
  const { messages, clock, link } = view;
  const items = ownItems(view);
  const step = lastStep(view, status);
  const exceptions = link?.tracking?.exceptions ?? [];
  if (!step && exceptions.length === 0) return undefined;
  const isStored = step && !('key' in step);
  const name = isStored ? messages.statuses[status as Step] : step && nameOf(step, messages);
  const undoStep = () => void (isStored ? actions.add(step, []) : step && actions.takeBack(step));
  return (
    <section class="waiting" aria-label={messages.recorded}>
      <h2>{messages.recorded}</h2>
      {name && (
        <button type="button" onClick={undoStep}>
          {messages.undoing(name)}
        </button>
      )}
      {exceptions.map(({ id, code, occurred_at, resolved_at, access_id, shipment_status }) => {
        const action = { code, exceptionId: id, since: occurred_at };
        const isWaiting = endsSame(items, { kind: 'resolve', ...action });
        const state = isWaiting ? messages.itemWaits : resolved_at ? messages.over : messages.open;
        // What was reported before the end of the shipment is part of how it ended.
        const isOwn = access_id !== undefined && (!isFinal(status) || isFinal(shipment_status));
        return (
          <article key={id} class="reported">
            <p class="what">
              <b>{exceptionText(code, view)}</b>
              <span class="mono">
                {shortText(new Date(occurred_at), clock)} {state}
              </span>
            </p>
            {!isWaiting && (
              <div class="two">
                {!resolved_at && (
                  <button type="button" onClick={() => void actions.add({ kind: 'resolve', ...action }, [])}>
                    {messages.isOver}
                  </button>
                )}
                {isOwn && (
                  <button type="button" onClick={() => void actions.add({ kind: 'withdraw', ...action }, [])}>
                    {messages.byMistake}
                  </button>
                )}
              </div>
            )}
          </article>
        );
      })}
    </section>
  );
}

/** What waits and is no step, and everything that does not go on by itself, with what the driver can do. */
function waiting(view: View, actions: Actions): JSX.Element | undefined {
  const { messages, clock, sender, link } = view;
  const items = ownItems(view);
  const limit = link && sender.limits.get(link.shipmentId);
  const stopped = ({ id, refusal }: QueueItem): string | undefined => {
    if (refusal) return messages.refusals[refusal as keyof typeof messages.refusals] ?? messages.otherRefusal(refusal);
    if (!limit || items.find((item) => !item.refusal)?.id !== id) return undefined;
    return messages.limits[limit.code as keyof typeof messages.limits](shortText(new Date(limit.until), clock));
  };
  const shown = items.filter((item) => link?.closed || stopped(item) || isReport(item.action));
  if (shown.length === 0) return undefined;
  return (
    <section class="waiting">
      <h2>{messages.waitingTitle}</h2>
      {shown.map((item) => {
        const text = stopped(item);
        return (
          <article key={item.id} class={text ? 'refused' : ''}>
            <p class="what">
              <b>{nameOf(item, messages)}</b>{' '}
              <span class="mono">
                {shortText(new Date(item.at), clock)} {text ? '' : messages.itemWaits}
              </span>
            </p>
            {text && <p role="alert">{text}</p>}
            {!text && !link?.closed && !item.isTimed && item.heldUntil === undefined && (
              <button type="button" onClick={() => void actions.takeBack(item)}>
                {messages.undoing(nameOf(item, messages))}
              </button>
            )}
            {(text || link?.closed) && (
              <Stopped item={item} messages={messages} actions={actions} isClosed={link?.closed !== undefined} />
            )}
          </article>
        );
      })}
    </section>
  );
}

interface StoppedProps {
  item: QueueItem;
  messages: DriverMessages;
  actions: Actions;
  isClosed: boolean;
}

/** What the driver can do with an item that does not go on by itself. Without a link that works, nothing is sent. */
function Stopped({ item, messages, actions, isClosed }: StoppedProps) {
  const [code, setCode] = useState('');
  const isAsked = needsCode(item) && !isClosed;
  const isChanged = needsChange(item) && draftOf(item) !== undefined;
  const send = (event: Event) => {
    event.preventDefault();
    if (isChanged) void actions.takeBack(item);
    else actions.resend(item, isAsked ? code : undefined);
  };
  const discard = () => confirm(messages.confirmDiscard(nameOf(item, messages))) && actions.discard(item);
  const again = item.refusal === 'invalid_request' ? messages.againNow : messages.again;
  return (
    <form class="refused-form" onSubmit={send}>
      {isAsked && codeField(messages, code, setCode)}
      <div class="two">
        {!isClosed && (
          <button type="submit" disabled={isAsked && !isHandoverCode(code)}>
            {isChanged ? messages.change : again}
          </button>
        )}
        <button type="button" onClick={discard}>
          {messages.discard}
        </button>
      </div>
    </form>
  );
}

/** The field for the handover code. */
export const codeField = (
  { handoverCode }: DriverMessages,
  value: string,
  change: (code: string) => void,
): JSX.Element => (
  <label class="field">
    {handoverCode}
    <input
      class="mono"
      inputMode="numeric"
      autocomplete="off"
      maxLength={30}
      value={value}
      onInput={(event: TargetedEvent<HTMLInputElement>) => change(event.currentTarget.value)}
    />
  </label>
);

function others({ others: links, items, messages }: View, { show }: Actions): JSX.Element | undefined {
  if (links.length === 0) return undefined;
  return (
    <nav class="others" aria-label={messages.others}>
      <h2>{messages.others}</h2>
      {links.map(({ shipmentId, tracking, shipment }) => {
        const { length } = items.filter((item) => item.shipmentId === shipmentId);
        const text = [
          tracking?.tracking_number ?? shipmentId,
          shipment && isolated(shipment.destination.city),
          length > 0 && messages.sync.waiting(length),
        ];
        return (
          <button type="button" key={shipmentId} onClick={() => show(shipmentId)}>
            {withUserText(text.filter(Boolean).join(' · '))}
          </button>
        );
      })}
    </nav>
  );
}
