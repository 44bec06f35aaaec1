import { earthRadius } from '../places/sphere.ts';
import { type Frame, projectionOf, type View } from './view.ts';

type Size = Pick<Frame, 'width' | 'height'>;
/** Pixels from the left and the top. */
export type Pixel = [x: number, y: number];

/** Pixels per kilometre of the closest view: land is known to 5 km. */
const closest = 12;
/** Near a pole, a map turns when it is moved. */
const maxLatitude = 80;

/** Magnifies a view. What is at the pixel stays there, unless the view is the closest or has the whole earth. */
export function zoomed(view: View, frame: Frame, factor: number, [x, y]: Pixel): View {
  const { width, height } = frame;
  const least = Math.min(width, height) / 4; // the earth is four radians wide
  const scale = Math.min(closest * earthRadius, Math.max(least, view.scale * factor));
  const ratio = view.scale / scale;
  return centredOn([x + (width / 2 - x) * ratio, y + (height / 2 - y) * ratio], view, frame, scale);
}

/** Moves what a view shows. @param by pixels to the right and down */
export const moved = (view: View, frame: Frame, [dx, dy]: Pixel): View =>
  centredOn([frame.width / 2 - dx, frame.height / 2 - dy], view, frame, view.scale);

/** The view around a pixel of another one. */
function centredOn(pixel: Pixel, view: View, frame: Frame, scale: number): View {
  const [lng = Number.NaN, lat = Number.NaN] = projectionOf(view, frame).invert?.(pixel) ?? [];
  if (!Number.isFinite(lng) || !Number.isFinite(lat)) return view; // beyond the earth
  return { lat: Math.max(-maxLatitude, Math.min(maxLatitude, lat)), lng, scale };
}

/** Whether a pixel is on the map. */
export const isOn = ({ width, height }: Size, [x, y]: Pixel): boolean => x >= 0 && x <= width && y >= 0 && y <= height;
