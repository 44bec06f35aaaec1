import type { GeoProjection } from 'd3-geo';
import type { JSX } from 'preact';
import type { TrackingMessages } from '../messages/messages.ts';
import type { Place } from '../places/places.ts';
import { distanceOf, type Point } from '../places/sphere.ts';
import { inAttribute, isolated } from '../text/user-text.tsx';
import { areaOf, frame } from './area.ts';
import { type Tiles, tilesFor } from './tiles.tsx';
import { pixelOf, projectionOf, viewOf } from './view.ts';

export interface Route {
  origin: Place | undefined;
  destination: Place | undefined;
  /** Where the shipment has been, in order. */
  positions: Point[];
  current: Point | undefined;
  /** Describes where the shipment was last seen. */
  currentName: string | undefined;
  /** Whether the rest of the route is still ahead. */
  isOpen: boolean;
}

/** How many points of a route are drawn at most. */
const maxPoints = 60;

/** What is below a route: the land and the main cities, or the tiles of the operator. */
function ground(points: Point[], tiles: Tiles | undefined) {
  if (tiles) return { ...tilesFor(points, tiles), towns: [] };
  const view = viewOf(points, frame);
  const { land, towns } = areaOf(view);
  return { project: projectionOf(view, frame), below: <path class="land" d={land} />, towns };
}

/** A map of a route, or undefined when no point of it is known. */
export function routeMap(route: Route, messages: TrackingMessages, tiles: Tiles | undefined): JSX.Element | undefined {
  const { origin, destination, current, isOpen } = route;
  const done = thinned([...route.positions, ...(current ? [current] : [])]);
  const known = [origin, destination, ...done].filter((point) => point !== undefined);
  if (known.length === 0) return undefined;
  const { project, below, towns } = ground(known, tiles);
  const stops = [origin, destination].filter((place) => place !== undefined);
  const last = current ?? done.at(-1) ?? origin;
  const labels = stops.map((place) => labelOf(place, stops, project, destination));
  const pixels = (points: Point[]): string => points.map((point) => pixelOf(project, point).join(',')).join(' ');
  return (
    <svg viewBox={`0 0 ${frame.width} ${frame.height}`} role="img" aria-labelledby="map-title map-text">
      <title id="map-title">{messages.map.title}</title>
      <desc id="map-text">{inAttribute(descriptionOf(route, messages))}</desc>
      {below}
      {isOpen && last && destination && <polyline class="ahead" points={pixels([last, destination])} />}
      {done.length > 1 && <polyline class="route" points={pixels(done)} />}
      <g class="towns">
        {towns
          .filter((town) => isFree(town, labels))
          .map(({ name, x, y }) => (
            <>
              <circle cx={x} cy={y} r={2} />
              <text x={x + 6} y={y + 4}>
                {name}
              </text>
            </>
          ))}
      </g>
      {labels.map(({ at: [x, y], name, anchor, textX, textY, isEnd }) => (
        <g class={isEnd ? 'stop end' : 'stop'}>
          <circle cx={x} cy={y} r={6} />
          <text x={textX} y={textY} text-anchor={anchor}>
            {inAttribute(isolated(name))}
          </text>
        </g>
      ))}
      {current && (
        <>
          <circle class="halo" cx={pixelOf(project, current)[0]} cy={pixelOf(project, current)[1]} r={15} />
          <circle class="now" cx={pixelOf(project, current)[0]} cy={pixelOf(project, current)[1]} r={7} />
        </>
      )}
    </svg>
  );
}

/** Whether the label of a town touches no stop and no label of one. */
const isFree = (
  town: { name: string; x: number; y: number },
  stops: { at: [number, number]; name: string }[],
): boolean =>
  stops.every(
    ({ at: [x, y], name }) => name !== town.name && (Math.abs(y - town.y) > 24 || x - town.x > 110 || town.x - x > 130),
  );

/** The letters of a label at most. */
const maxLabel = 24;

function labelText(name: string): string {
  const letters = [...name];
  return letters.length > maxLabel ? `${letters.slice(0, maxLabel - 1).join('')}…` : name;
}

/** Units that a letter of a label needs on a small screen, where labels are larger. */
const letterWidth = 15;

/** The label of a stop is on its outer side, away from the other stop, if it fits there. */
function labelOf(place: Place, stops: Place[], project: GeoProjection, destination: Place | undefined) {
  const [x, y] = pixelOf(project, place);
  const other = stops.find((stop) => stop !== place);
  const name = labelText(place.name);
  const length = 13 + name.length * letterWidth;
  const isEast = !other || x >= pixelOf(project, other)[0];
  const isRight = isEast ? x + length < frame.width : x - length < 0;
  const isBelow = other !== undefined && other.lat > place.lat;
  return {
    at: [x, y] as [number, number],
    name,
    anchor: isRight ? ('start' as const) : ('end' as const),
    textX: x + (isRight ? 13 : -13),
    textY: y + (isBelow ? 16 : -4),
    isEnd: place === destination,
  };
}

/** Points that are apart, at most `maxPoints`, with the first and the last one. */
function thinned(points: Point[]): Point[] {
  const step = Math.max(1, (points.length - 1) / (maxPoints - 1));
  const count = Math.min(points.length, maxPoints);
  const chosen = Array.from({ length: count }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
  return chosen.filter((point, index) => {
    const before = chosen[index - 1];
    const least = index === chosen.length - 1 ? 0 : 0.5; // kilometres
    return !before || distanceOf(before, point) > least;
  });
}

function descriptionOf({ origin, destination, currentName }: Route, { map }: TrackingMessages): string {
  const way =
    origin && destination
      ? map.route(isolated(origin.name), isolated(destination.name))
      : destination
        ? map.to(isolated(destination.name))
        : undefined;
  return [way, currentName && map.current(currentName)].filter(Boolean).join(' ');
}
