import { h, type JSX } from 'preact';
import { documentOf, type PageDocument } from '../document.ts';
import { mark } from '../mark.ts';
import { statusText } from '../messages/text-of.ts';
import { fullText, shortText } from '../times.ts';
import { isolated, userText, withUserText } from '../user-text.ts';
import { arrivalOf } from './arrival.ts';
import { actions, details } from './details.ts';
import { exceptions } from './exceptions.ts';
import { handover } from './handover.ts';
import { hero } from './hero.ts';
import { map } from './map.ts';
import { proof } from './proof.ts';
import { timeline } from './timeline.ts';
import { cityOf, contextOf, type PageContext, type PageOptions, type TrackingView } from './view.ts';

/** Renders the tracking page of a shipment as a whole HTML document. */
export function trackingPage(view: TrackingView, options: PageOptions): PageDocument {
  const context = contextOf(view, options);
  const { messages, clock } = context;
  const { tracking, shipment } = view;
  const number = tracking.tracking_number;
  const drawn = map(context);
  const sender = shipment?.carrier?.name ?? 'Waybill';
  const body = [
    h(
      'header',
      { class: 'top' },
      mark(),
      h('b', { class: 'sender' }, userText(sender)),
      tracking.status === 'delivered' && h('span', { class: 'paper' }, messages.receipt),
      h('span', { class: 'num mono' }, number),
    ),
    h('p', {
      id: 'connection',
      class: 'connection',
      role: 'status',
      'data-offline': messages.offline,
      'data-lost': messages.liveLost,
    }),
    h(
      'main',
      { id: 'main', class: drawn ? undefined : 'single' },
      hero(context),
      h(
        'div',
        { class: 'grid' },
        exceptions(context, true),
        handover(context),
        proof(context),
        drawn,
        exceptions(context, false),
      ),
      h('div', { class: 'grid side' }, timeline(context), details(context), actions(context)),
    ),
    footer(context),
  ];
  const photos = [
    ...[view.proof?.signature_url].filter((url) => url !== undefined),
    ...(view.proof?.photos ?? []),
    ...Object.values(view.exceptionPhotos).flat(),
    ...(options.tiles ? [options.tiles.url] : []),
  ];
  return documentOf({
    language: options.language,
    title: `${number}: ${statusText(tracking.status, context)}`,
    description: arrivalOf(context).headline,
    body,
    attributes: { 'data-zone': context.zoneSource, 'data-printed': fullText(clock.now, clock) },
    imageUrls: photos,
    isLive: true,
  });
}

function footer({ messages, clock, view, zoneSource }: PageContext): JSX.Element {
  const place = view.shipment && cityOf(view.shipment.destination);
  const zone = {
    place: place ? messages.times(isolated(place)) : messages.utcTimes,
    browser: messages.yourTimes,
    utc: messages.utcTimes,
  }[zoneSource];
  return h(
    'footer',
    { class: 'zone', id: 'zone' },
    `${messages.updated} `,
    h('time', { datetime: clock.now.toISOString(), 'data-relative': 'true' }, shortText(clock.now, clock)),
    '. ',
    withUserText(zone),
    ' ',
    h('noscript', null, messages.reload),
  );
}
