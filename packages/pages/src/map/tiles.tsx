import { type GeoProjection, geoMercator } from 'd3-geo';
import type { JSX } from 'preact';
import type { Point } from '../places/sphere.ts';
import { frame } from './area.ts';

const { width, height, margin } = frame;

/** A server of map tiles: images of 256 pixels in the Mercator projection, as OpenStreetMap numbers them. */
export interface Tiles {
  /** With `{z}`, `{x}` and `{y}` in its path. */
  url: string;
  /** Whose map it is, in a text that the map shows. Empty for none. */
  credit: string;
}

const tileSize = 256;
/** Addresses are known by their city, so that more detail would only seem exact. */
const maxZoom = 11;

/** The scale of d3-geo at which the world is as wide as all tiles of a zoom. */
const scaleOf = (zoom: number): number => (tileSize * 2 ** zoom) / (2 * Math.PI);

/** The greatest zoom at which all points are inside the margin, and the projection around their middle. */
function viewOf(points: Point[]): { zoom: number; project: GeoProjection } {
  // Turned to the first point, so that a route across the date line is in one piece.
  const turned = geoMercator()
    .rotate([-(points[0]?.lng ?? 0), 0])
    .translate([0, 0])
    .scale(1);
  const projected = points.map(({ lat, lng }) => turned([lng, lat]) ?? [0, 0]);
  const rangeOn = (axis: 0 | 1): [number, number] => {
    const values = projected.map((point) => point[axis] ?? 0);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [top, bottom]] = [rangeOn(0), rangeOn(1)];
  const most = Math.min((width - 2 * margin.x) / (right - left), (height - 2 * margin.y) / (bottom - top));
  const zoom = Math.max(0, Math.min(maxZoom, Math.floor(Math.log2(most / scaleOf(0)))));
  const scale = scaleOf(zoom);
  // Whole pixels, so that tiles have sharp edges.
  const shift = (size: number, from: number, to: number): number => Math.round(size / 2 - ((from + to) / 2) * scale);
  return { zoom, project: turned.scale(scale).translate([shift(width, left, right), shift(height, top, bottom)]) };
}

/** The tiles below a route, and the projection that fits them. */
export function tilesFor(points: Point[], { url, credit }: Tiles): { project: GeoProjection; below: JSX.Element } {
  const { zoom, project } = viewOf(points);
  const count = 2 ** zoom;
  // The corner of the tile 0/0, in units of the map. The world repeats beyond its edges.
  const [x0 = 0] = project([-180 + 1e-9, 0]) ?? [];
  const [, equator = 0] = project([0, 0]) ?? [];
  const y0 = equator - (count * tileSize) / 2;
  const images: JSX.Element[] = [];
  for (let column = Math.floor(-x0 / tileSize); x0 + column * tileSize < width; column++)
    for (let row = Math.floor(-y0 / tileSize); y0 + row * tileSize < height; row++) {
      if (row < 0 || row >= count) continue;
      const x = ((column % count) + count) % count;
      const values: Record<string, number> = { z: zoom, x, y: row };
      images.push(
        <image
          href={url.replace(/\{([zxy])\}/g, (_, name: string) => String(values[name]))}
          x={Math.round(x0 + column * tileSize)}
          y={Math.round(y0 + row * tileSize)}
          width={tileSize}
          height={tileSize}
        />,
      );
    }
  const text = credit && (
    <text class="credit" x={width - 6} y={height - 6} text-anchor="end">
      {credit}
    </text>
  );
  return {
    project,
    below: (
      <g class="tiles">
        {images}
        {text}
      </g>
    ),
  };
}
