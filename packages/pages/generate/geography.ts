/** The land of the maps, from packages of geographic data. `build.ts` writes it. */
import { readFileSync } from 'node:fs';
import { geoArea } from 'd3-geo';
import type { Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { readJson } from './read-json.ts';

/** Parts of a degree: 0.2 km, and 5 km for the map of the board, which browsers load. */
const precision = 500;
const boardPrecision = 20;
const usa = '840'; // ISO 3166-1 numeric

const states = polygonsOf('us-atlas/states-10m.json', 'states');
/** The states of the US and all other countries, as polygons. */
const land = [...polygonsOf('world-atlas/countries-50m.json', 'countries'), ...states];
const coarseLand = [...polygonsOf('world-atlas/countries-110m.json', 'countries'), ...states];

function polygonsOf(file: string, name: string): Position[][][] {
  const topology = readJson(file) as Topology;
  const { features } = feature(topology, topology.objects[name] as GeometryCollection);
  return features.flatMap(({ id, geometry }) => {
    if (name === 'countries' && id === usa) return [];
    if (geometry.type === 'MultiPolygon') return geometry.coordinates;
    return geometry.type === 'Polygon' ? [geometry.coordinates] : [];
  });
}

/** Longitude and latitude of each point, as the difference from the point before. @param parts of a degree */
function stepsOf(ring: Position[], parts: number): number[] {
  let last = { x: 0, y: 0 };
  return ring.flatMap(([lng = 0, lat = 0], index) => {
    const point = { x: Math.round(lng * parts), y: Math.round(lat * parts) };
    const step = [point.x - last.x, point.y - last.y];
    last = point;
    return index > 0 && step.every((part) => part === 0) ? [] : step;
  });
}

const rounded = (ring: Position[]): Position[] =>
  ring.map((point) => point.map((degrees) => Math.round(degrees * boardPrecision) / boardPrecision));

/** Without islands that are a line or a point at this precision: their polygons would be all the rest of the earth. */
const boardRings = coarseLand.flatMap((polygon) => {
  const area = geoArea({ type: 'Polygon', coordinates: polygon.map(rounded) });
  return area > 0 && area < 2 * Math.PI ? [polygon.map((ring) => stepsOf(ring, boardPrecision))] : [];
});

/** Of the land. It requires its text in every copy. */
export const licence: string = readFileSync(new URL(import.meta.resolve('us-atlas/LICENSE')), 'utf8').trim();

/** All land, for the tracking page. */
export const atlas: string = `{"source":"us-atlas and world-atlas","licence":${JSON.stringify(licence)},"precision":${precision},"land":[\n${land.map((rings) => JSON.stringify(rings.map((ring) => stepsOf(ring, precision)))).join(',\n')}\n]}\n`;

/** The land of the map of the board, which browsers load. */
export const boardLand: string = JSON.stringify({ precision: boardPrecision, land: boardRings });
