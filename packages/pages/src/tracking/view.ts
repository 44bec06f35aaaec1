import type { components } from '@waybill/contract/types';
import type { Tiles } from '../map/tiles.tsx';
import { type Language, languages } from '../messages/languages.ts';
import type { TrackingMessages } from '../messages/messages.ts';
import type { Position } from '../places/jumps.ts';
import { type Place, placeOf, zoneOf } from '../places/places.ts';
import type { Clock } from '../text/times.ts';
import { markedZone } from '../text/user-text.tsx';

type Schemas = components['schemas'];

/** What the page of a shipment shows. A link with less access has less of it. */
export interface TrackingView {
  tracking: Schemas['TrackingStatus'];
  /** Undefined for a link that must not read the shipment. */
  shipment: Schemas['ShipmentWithHandoverCode'] | undefined;
  /** Oldest first. */
  positions: Position[];
  proof: Schemas['ProofOfDelivery'] | undefined;
  documents: Schemas['DocumentWithUrl'][];
  /** Id of an exception → signed URLs of its photos. */
  exceptionPhotos: Record<string, string[]>;
}

/** What all sections of a page need. */
export interface PageContext {
  language: Language;
  messages: TrackingMessages;
  clock: Clock;
  view: TrackingView;
  origin: Place | undefined;
  destination: Place | undefined;
  tiles: Tiles | undefined;
  /** The place whose local times the page shows; `browser` for the time zone of the visitor, `utc` if none is known. */
  zoneSource: 'place' | 'browser' | 'utc';
}

export interface PageOptions {
  language: Language;
  now: Date;
  /** The time zone of the visitor, which the page uses if that of the destination is unknown. */
  visitorZone?: string | undefined;
  /** Shown below the route, if the operator has chosen some. */
  tiles?: Tiles | undefined;
}

/** Reads the places and the time zone of a shipment. */
export function contextOf(view: TrackingView, { language, now, visitorZone, tiles }: PageOptions): PageContext {
  const { tracking: messages, locale } = languages[language];
  const { origin, destination } = view.shipment ?? {};
  const placeZone = destination && zoneOf(destination);
  const zone = placeZone ?? visitorZone ?? 'UTC';
  return {
    language,
    messages,
    clock: { locale, now, zone, isNamed: placeZone !== undefined || visitorZone === undefined, markZone: markedZone },
    view,
    origin: origin && placeOf(origin),
    destination: destination && placeOf(destination),
    tiles,
    zoneSource: placeZone ? 'place' : visitorZone ? 'browser' : 'utc',
  };
}
