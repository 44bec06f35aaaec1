import type { DocumentWithUrl, ProofOfDelivery, Shipment, ShipmentException, TrackingStatus } from '@waybill/client';
import { lastSeen } from '@waybill/contract/needs';
import type { ComponentChildren, JSX } from 'preact';
import { documentText, eventText } from '../../messages/text-of.ts';
import { siteText } from '../../text/addresses.ts';
import { countedText, fileSizeText, locationText, shipmentFacts } from '../../text/facts.ts';
import { itemList } from '../../text/items.tsx';
import { type Clock, rangeText, shortText, timeText } from '../../text/times.ts';
import { isolated, userText, withUserText } from '../../text/user-text.tsx';
import { destinationClock, originClock } from '../shipments/place-clocks.ts';
import { punctualityOf } from '../shipments/punctuality.ts';
import type { Row } from '../shipments/rows.ts';
import type { Loaded } from '../shipments/shipment.ts';
import { messages } from '../texts.ts';
import type { Actions, View } from '../view.ts';
import { exceptionText, punctualityText, routeText } from '../words.ts';
import { arrivalText } from './arrival.ts';
import { statusOf } from './list.tsx';

const texts = messages.details;

type CurrentLocation = NonNullable<TrackingStatus['current_location']>;

/** The page of a shipment. */
export function details(view: View, selected: Loaded, { select }: Actions): JSX.Element {
  const { row, failure } = selected;
  return (
    <article class="details" aria-labelledby="details-title">
      <button type="button" class="back" onClick={() => select(undefined)}>
        {texts.close}
      </button>
      {row ? (
        loaded(view, selected, row)
      ) : (
        <h2 id="details-title" tabIndex={-1}>
          {failure === undefined ? texts.loading : texts[failure]}
        </h2>
      )}
    </article>
  );
}

function loaded({ clock: own }: View, selected: Loaded, row: Row): ComponentChildren {
  const clock = destinationClock(row, own);
  const { shipment, tracking } = row;
  const { origin, destination } = shipment;
  const punctuality = punctualityOf(row, clock.now.getTime());
  const words = punctualityText(punctuality);
  const seen = lastSeen(tracking);
  const location = tracking.current_location;
  const where = location && locationOf(selected, location, clock.locale);
  const range = (window: { start: string; end: string } | undefined, at: Clock): string | undefined =>
    window && rangeText(new Date(window.start), new Date(window.end), at);
  const facts: [string, ComponentChildren][] = [
    [texts.arrival, [arrivalText(row, clock), ' ', words && <small class={punctuality.kind}>{words}</small>]],
    [texts.lastSeen, location && seen && [where && [withUserText(where), ', '], shortText(new Date(seen), clock)]],
    [texts.pickup, range(shipment.pickup_window, originClock(row, own))],
    [texts.delivery, range(shipment.delivery_window, clock)],
    ...shipmentFacts(shipment, { ...messages, names: messages.facts, locale: clock.locale }).map(
      ([name, text]): [string, ComponentChildren] => [name, withUserText(text)],
    ),
    [texts.notes, shipment.notes && userText(shipment.notes)],
  ];
  return (
    <>
      <h2 id="details-title" class="mono" tabIndex={-1}>
        {tracking.tracking_number}
      </h2>
      <p class="way">
        {withUserText(routeText(siteText(origin), siteText(destination)))} {statusOf(tracking.status)}
      </p>
      <dl class="facts">
        {facts.map(
          ([name, value], index) =>
            value && (
              <div key={`${name} ${index}`}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {shipment.items && itemList(shipment.items, { ...messages, locale: clock.locale })}
      {exceptions(selected, tracking.exceptions ?? [], clock)}
      <h3>{texts.timeline}</h3>
      <ol class="timeline">
        {tracking.timeline.map((event) => {
          const { id, status, timestamp, voided_at, void_reason } = event;
          const { title, description } = eventText(event, { messages }, tracking.timeline);
          return (
            <li key={id || status} class={voided_at ? `${status} voided` : status}>
              <b>{voided_at ? <s>{title}</s> : title}</b>
              <span class="mono">{shortText(new Date(timestamp), clock)}</span>
              {description && <p>{voided_at ? <s>{userText(description)}</s> : userText(description)}</p>}
              {voided_at && <p>{withUserText(texts.voided(isolated(void_reason ?? '')))}</p>}
            </li>
          );
        })}
      </ol>
      <h3>{texts.route}</h3>
      <p>{selected.positions && routeLength(selected.positions.length, selected.isRouteCut)}</p>
      {proof(selected.proof, shipment, clock)}
      {documents(selected.documents, clock)}
    </>
  );
}

function routeLength(count: number, isCut: boolean): string {
  if (count === 0) return texts.noPositions;
  return (isCut ? texts.firstPositions : texts.positions)(count);
}

/** The location in words; undefined until the service has said which city it is near. */
function locationOf({ nearCity }: Loaded, location: CurrentLocation, locale: string): string | undefined {
  if (!location.address && nearCity === undefined) return undefined;
  return locationText(location, nearCity ?? undefined, { near: messages.near, locale });
}

function exceptions({ photos }: Loaded, all: ShipmentException[], clock: View['clock']): ComponentChildren {
  if (all.length === 0) return undefined;
  return (
    <>
      <h3>{texts.exceptions}</h3>
      <ul class="exceptions">
        {all.map(({ id, code, occurred_at, description, resolved_at, resolution }) => (
          <li key={id} class={resolved_at === undefined ? 'open' : ''}>
            <b>{exceptionText(code)}</b>
            {description && <p>{userText(description)}</p>}
            <p class="note">{texts.reported(timeText(new Date(occurred_at), clock))}</p>
            {resolved_at === undefined && <p class="note">{texts.open}</p>}
            {resolved_at !== undefined && (
              <p class="note">
                {texts.resolved(timeText(new Date(resolved_at), clock))}
                {resolution && [': ', userText(resolution)]}
              </p>
            )}
            {pictures((photos[id] ?? []).map((url, index) => ({ url, name: texts.photo(index + 1) })))}
          </li>
        ))}
      </ul>
    </>
  );
}

function documents(all: DocumentWithUrl[], { locale }: Clock): ComponentChildren {
  if (all.length === 0) return undefined;
  return (
    <>
      <h3>{messages.documents}</h3>
      <ul class="documents">
        {all.map(({ id, url, type, description, size }) => (
          <li key={id}>
            <a href={url} target="_blank" rel="noreferrer">
              {documentText(type, { messages })}
            </a>{' '}
            <small>{fileSizeText(size, locale)}</small>
            {description && <p>{userText(description)}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function proof(found: ProofOfDelivery | null | undefined, shipment: Shipment, clock: View['clock']): ComponentChildren {
  if (found === undefined) return undefined;
  if (found === null)
    return (
      <>
        <h3>{texts.proof}</h3>
        <p>{texts.noProof}</p>
      </>
    );
  const { status, delivered_at, signed_by, signature_url, photos, remarks, items = [] } = found;
  const signature = signature_url === undefined ? [] : [{ url: signature_url, name: texts.signature }];
  return (
    <>
      <h3>{status === 'returned' ? texts.returnProof : texts.proof}</h3>
      <p>
        {signed_by === undefined ? texts.unattended : withUserText(texts.signedBy(isolated(signed_by)))}
        {', '}
        {timeText(new Date(delivered_at), clock)}
      </p>
      {items.map((item) => (
        <p key={item.index}>
          {userText(shipment.items?.[item.index]?.description ?? messages.item(item.index + 1))}
          {`: ${countedText(item, { counted: messages.counted, locale: clock.locale })}`}
        </p>
      ))}
      {remarks !== undefined && <p>{userText(remarks)}</p>}
      {pictures([...signature, ...photos.map((url, index) => ({ url, name: texts.photo(index + 1) }))])}
    </>
  );
}

const pictures = (all: { url: string; name: string }[]): ComponentChildren =>
  all.length > 0 && (
    <div class="pictures">
      {all.map(({ url, name }) => (
        <a key={name} href={url} target="_blank" rel="noreferrer">
          <img src={url} alt={name} loading="lazy" />
        </a>
      ))}
    </div>
  );
