import type { ProofOfDelivery, ShipmentException } from '@waybill/client';
import { type ComponentChildren, h, type JSX } from 'preact';
import { shipmentFacts } from '../facts.ts';
import { type Clock, rangeText, shortText, timeText } from '../times.ts';
import { isolated, userText, withUserText } from '../user-text.ts';
import { arrivalText } from './arrival.ts';
import { statusOf } from './list.ts';
import { lastSeen, punctualityOf } from './punctuality.ts';
import type { Row } from './rows.ts';
import type { Loaded } from './shipment.ts';
import { messages } from './texts.ts';
import type { Actions, View } from './view.ts';
import { exceptionText, punctualityText, routeText, statusText } from './words.ts';
import { destinationClock, originClock } from './zones.ts';

const texts = messages.details;

/** The page of a shipment. */
export function details(view: View, selected: Loaded, { select }: Actions): JSX.Element {
  const { row, failure } = selected;
  return h(
    'article',
    { class: 'details', 'aria-labelledby': 'details-title' },
    h('button', { type: 'button', class: 'back', onClick: () => select(undefined) }, texts.close),
    row
      ? loaded(view, selected, row)
      : h('h2', { id: 'details-title', tabIndex: -1 }, failure === undefined ? texts.loading : texts[failure]),
  );
}

function loaded({ clock: own }: View, selected: Loaded, row: Row): ComponentChildren {
  const clock = destinationClock(row, own);
  const { shipment, tracking } = row;
  const { origin, destination } = shipment;
  const punctuality = punctualityOf(row, clock.now.getTime());
  const words = punctualityText(punctuality);
  const seen = lastSeen(row);
  const location = tracking.current_location;
  const range = (window: { start: string; end: string } | undefined, at: Clock): string | undefined =>
    window && rangeText(new Date(window.start), new Date(window.end), at);
  const facts: [string, ComponentChildren][] = [
    [texts.arrival, [arrivalText(row, clock), words && h('small', { class: punctuality.kind }, ' ', words)]],
    [
      texts.lastSeen,
      location &&
        seen && [userText(location.address ?? coordinates(location)), `, ${shortText(new Date(seen), clock)}`],
    ],
    [texts.pickup, range(shipment.pickup_window, originClock(row, own))],
    [texts.delivery, range(shipment.delivery_window, clock)],
    ...shipmentFacts(shipment, { names: messages.facts, pieces: messages.pieces, locale: clock.locale }).map(
      ([name, text]): [string, ComponentChildren] => [name, withUserText(text)],
    ),
    [texts.notes, shipment.notes && userText(shipment.notes)],
  ];
  return [
    h('h2', { id: 'details-title', class: 'mono', tabIndex: -1 }, tracking.tracking_number),
    h(
      'p',
      { class: 'way' },
      withUserText(routeText(`${origin.city}, ${origin.state}`, `${destination.city}, ${destination.state}`)),
      ' ',
      statusOf(tracking.status),
    ),
    h(
      'dl',
      { class: 'facts' },
      facts.map(([name, value]) => value && h('div', { key: name }, h('dt', null, name), h('dd', null, value))),
    ),
    exceptions(selected, tracking.exceptions ?? [], clock),
    h('h3', null, texts.timeline),
    h(
      'ol',
      { class: 'timeline' },
      tracking.timeline.map(({ status, timestamp, description }) =>
        h(
          'li',
          { key: status, class: status as string },
          h('b', null, statusText(status)),
          h('span', { class: 'mono' }, shortText(new Date(timestamp), clock)),
          description && h('p', null, userText(description)),
        ),
      ),
    ),
    h('h3', null, texts.route),
    h('p', null, selected.positions && routeLength(selected.positions.length, selected.isRouteCut)),
    tracking.status === 'delivered' && proof(selected.proof, clock),
  ];
}

function routeLength(count: number, isCut: boolean): string {
  if (count === 0) return texts.noPositions;
  return (isCut ? texts.firstPositions : texts.positions)(count);
}

const coordinates = ({ lat, lng }: { lat: number; lng: number }): string => `${lat.toFixed(2)}, ${lng.toFixed(2)}`;

function exceptions({ photos }: Loaded, all: ShipmentException[], clock: View['clock']): ComponentChildren {
  if (all.length === 0) return undefined;
  return [
    h('h3', null, texts.exceptions),
    h(
      'ul',
      { class: 'exceptions' },
      all.map(({ id, code, occurred_at, description, resolved_at, resolution }) =>
        h(
          'li',
          { key: id, class: resolved_at === undefined ? 'open' : '' },
          h('b', null, exceptionText(code)),
          description && h('p', null, userText(description)),
          h('p', { class: 'note' }, texts.reported(timeText(new Date(occurred_at), clock))),
          resolved_at !== undefined &&
            h(
              'p',
              { class: 'note' },
              texts.resolved(timeText(new Date(resolved_at), clock)),
              resolution && [': ', userText(resolution)],
            ),
          pictures((photos[id] ?? []).map((url, index) => ({ url, name: texts.photo(index + 1) }))),
        ),
      ),
    ),
  ];
}

function proof(found: ProofOfDelivery | null | undefined, clock: View['clock']): ComponentChildren {
  if (found === undefined) return undefined;
  if (found === null) return [h('h3', null, texts.proof), h('p', null, texts.noProof)];
  const { delivered_at, signed_by, signature_url, photos } = found;
  const signature = signature_url === undefined ? [] : [{ url: signature_url, name: texts.signature }];
  return [
    h('h3', null, texts.proof),
    h(
      'p',
      null,
      signed_by === undefined ? texts.unattended : withUserText(texts.signedBy(isolated(signed_by))),
      ', ',
      timeText(new Date(delivered_at), clock),
    ),
    pictures([...signature, ...photos.map((url, index) => ({ url, name: texts.photo(index + 1) }))]),
  ];
}

const pictures = (all: { url: string; name: string }[]): ComponentChildren =>
  all.length > 0 &&
  h(
    'div',
    { class: 'pictures' },
    all.map(({ url, name }) =>
      h(
        'a',
        { key: name, href: url, target: '_blank', rel: 'noreferrer' },
        h('img', { src: url, alt: name, loading: 'lazy' }),
      ),
    ),
  );
