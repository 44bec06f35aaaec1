import { LRUCache } from 'lru-cache';
import { places } from '../places/places.ts';
import { directionOf } from '../places/sphere.ts';
import { atlas } from './atlas.ts';
import { landPath } from './land.ts';
import { type Frame, nearnessOf, pixelOf, projectionOf, type View } from './view.ts';

/** Its units are pixels on a large screen. */
export const frame: Frame = { width: 720, height: 360, margin: { x: 130, y: 60 }, maxUnitsPerKilometre: 4 };
const { width, height } = frame;

/** What a map shows under the route. */
export interface Area {
  /** The commands of an SVG path. */
  land: string;
  towns: { name: string; x: number; y: number }[];
}

const cache = new LRUCache<string, Area>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ land }) => land.length + 500,
});

/** The land and the main cities of a view. The last ones are cached, up to 4 MB. */
export function areaOf(view: View): Area {
  const key = JSON.stringify(view);
  const known = cache.get(key);
  if (known) return known;
  const area = { land: landPath(view, frame, atlas()), towns: townsOf(view) };
  cache.set(key, area);
  return area;
}

const maxTowns = 7;
const directions = places.map(directionOf);

/** The cities with the most inhabitants that do not cover each other. */
function townsOf(view: View): Area['towns'] {
  const project = projectionOf(view, frame);
  const isNear = nearnessOf(view, frame);
  const towns: Area['towns'] = [];
  for (const [index, place] of places.entries()) {
    if (towns.length === maxTowns) break;
    if (!isNear(directions[index] ?? [0, 0, 0], 0)) continue;
    const [x, y] = pixelOf(project, place);
    if (x < 20 || x > width - 110 || y < 20 || y > height - 20) continue;
    if (towns.some((other) => Math.abs(other.x - x) < 110 && Math.abs(other.y - y) < 30)) continue;
    towns.push({ name: place.name, x, y });
  }
  return towns;
}
