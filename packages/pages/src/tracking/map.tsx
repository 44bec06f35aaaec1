import { isFinal } from '@waybill/contract/statuses';
import type { JSX } from 'preact';
import { routeMap } from '../map/route-map.tsx';
import { withoutJumps } from '../places/jumps.ts';
import { nearCity, nearestName, type Place } from '../places/places.ts';
import { distanceOf, type Point } from '../places/sphere.ts';
import { cityText } from '../text/addresses.ts';
import { locationText, shipmentFacts } from '../text/facts.ts';
import { shortText } from '../text/times.ts';
import { isolated, withUserText } from '../text/user-text.tsx';
import type { PageContext } from './view.ts';

/** The map with the facts of the shipment below it. */
export function map(context: PageContext): JSX.Element | undefined {
  const { view, messages, clock, origin, destination } = context;
  const { tracking, shipment } = view;
  const positions = withoutJumps(view.positions);
  const { status, current_location: current } = tracking;
  const hasLeft = tracking.timeline.some((entry) => ['picked_up', 'in_transit', 'delivered'].includes(entry.status));
  const isMoving = !isFinal(status);
  const formats = { ...messages, names: messages.facts, locale: clock.locale };
  const currentName =
    current && isLastPlace(context) ? locationText(current, nearestName(current), formats) : undefined;
  const missing = shipment && missingText(context);
  const drawn = missing?.isEnd
    ? undefined
    : routeMap(
        {
          origin,
          destination,
          positions: hasLeft && origin ? fromOrigin(origin, positions) : positions,
          current: isMoving || status === 'lost' ? (current ?? undefined) : undefined,
          currentName,
          isOpen: isMoving,
        },
        messages,
        context.tiles,
      );
  const seenFacts: [string, string][] =
    current && currentName
      ? [[messages.lastSeen, `${currentName} · ${shortText(new Date(current.updated_at), clock)}`]]
      : [];
  const facts = [...seenFacts, ...shipmentFacts(shipment ?? {}, formats)];
  if (!drawn && !missing && facts.length === 0) return undefined;
  return (
    <section class="card map" id="map" aria-label={messages.details}>
      {drawn}
      {missing && <p class="missing">{withUserText(missing.text)}</p>}
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(([name, text]) => (
            <div>
              <dt>{name}</dt>
              <dd>{withUserText(text)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Says which end of the route is not on the map. Without the destination there is no map. */
function missingText({
  view,
  messages,
  origin,
  destination,
}: PageContext): { isEnd: boolean; text: string } | undefined {
  const { shipment } = view;
  if (!shipment || (origin && destination)) return undefined;
  const [text, end] = destination
    ? [messages.map.noOrigin, shipment.origin]
    : [messages.map.noDestination, shipment.destination];
  return { isEnd: !destination, text: text(isolated(cityText(end))) };
}

/** Whether the last position is where the shipment is. A delivery is where its proof says, or at the destination. */
function isLastPlace({ view, destination }: PageContext): boolean {
  const { status, current_location: current } = view.tracking;
  if (status !== 'delivered') return true;
  return !view.proof && (!current || !destination || distanceOf(current, destination) <= nearCity);
}

/** The route, which begins at the origin also if no position was reported there. */
const fromOrigin = (origin: Place, positions: Point[]): Point[] =>
  positions.some((position) => distanceOf(position, origin) < nearCity) ? positions : [origin, ...positions];
