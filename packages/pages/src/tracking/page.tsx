import type { JSX } from 'preact';
import { documentOf, type PageDocument } from '../frame/document.tsx';
import { mark } from '../frame/mark.tsx';
import { statusText } from '../messages/text-of.ts';
import { cityText } from '../text/addresses.ts';
import { fullText, shortText } from '../text/times.ts';
import { inAttribute, isolated, userText, withUserText } from '../text/user-text.tsx';
import { arrivalOf } from './arrival.ts';
import { actions, details } from './details.tsx';
import { documents } from './documents.tsx';
import { exceptions } from './exceptions.tsx';
import { handover } from './handover.tsx';
import { hero } from './hero.tsx';
import { map } from './map.tsx';
import { proof } from './proof.tsx';
import { timeline } from './timeline.tsx';
import { contextOf, type PageContext, type PageOptions, type TrackingView } from './view.ts';

/** Renders the tracking page of a shipment as a whole HTML document. */
export function trackingPage(view: TrackingView, options: PageOptions): PageDocument {
  const context = contextOf(view, options);
  const { messages, clock } = context;
  const { tracking, shipment } = view;
  const number = tracking.tracking_number;
  const arrival = arrivalOf(context);
  const drawn = map(context);
  const sender = shipment?.carrier?.name ?? 'Waybill';
  const body = (
    <>
      <header class="top">
        {mark()}
        <b class="sender">{userText(sender)}</b>
        {tracking.status === 'delivered' && <span class="paper">{messages.receipt}</span>}
        {tracking.status === 'returned' && <span class="paper">{messages.returnReceipt}</span>}
        <span class="num mono">{number}</span>
      </header>
      <p
        id="connection"
        class="connection"
        role="status"
        data-offline={messages.offline}
        data-interrupted={messages.liveLost}
      />
      <main id="main" class={drawn ? undefined : 'single'}>
        {hero(context, arrival)}
        <div class="grid">
          {exceptions(context, true)}
          {handover(context)}
          {proof(context)}
          {drawn}
          {exceptions(context, false)}
        </div>
        <div class="grid side">
          {timeline(context)}
          {details(context)}
          {documents(context)}
          {actions(context)}
        </div>
      </main>
      {footer(context)}
    </>
  );
  const photos = [
    ...[view.proof?.signature_url].filter((url) => url !== undefined),
    ...(view.proof?.photos ?? []),
    ...Object.values(view.exceptionPhotos).flat(),
    ...(options.tiles ? [options.tiles.url] : []),
  ];
  return documentOf({
    language: options.language,
    title: `${number}: ${statusText(tracking.status, context)}`,
    description: inAttribute(arrival.headline),
    body,
    attributes: {
      'data-zone': context.zoneSource,
      'data-time-zone': clock.zone,
      'data-printed': inAttribute(fullText(clock.now, clock)),
    },
    imageUrls: photos,
    isLive: true,
  });
}

function footer({ messages, clock, view, zoneSource }: PageContext): JSX.Element {
  const place = view.shipment && cityText(view.shipment.destination);
  const zone = {
    place: place ? messages.times(isolated(place)) : messages.utcTimes,
    browser: messages.yourTimes,
    utc: messages.utcTimes,
  }[zoneSource];
  return (
    <footer class="zone" id="zone">
      {messages.updated}{' '}
      <time datetime={clock.now.toISOString()} data-relative="true">
        {withUserText(shortText(clock.now, clock))}
      </time>
      {'. '}
      {withUserText(zone)} <noscript>{messages.reload}</noscript>
    </footer>
  );
}
