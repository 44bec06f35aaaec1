import type { Fix } from './queue.ts';

const fixOf = ({ coords, timestamp }: GeolocationPosition): Fix => ({
  lat: coords.latitude,
  lng: coords.longitude,
  at: timestamp,
  heard: Date.now(),
});

/** The position now. The browser asks the driver for permission first. @throws {GeolocationPositionError} */
export const locate = (): Promise<Fix> =>
  new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition((position) => resolve(fixOf(position)), reject, {
      enableHighAccuracy: true,
      maximumAge: 30_000,
      timeout: 30_000,
    });
  });

/** Milliseconds between two positions of a route. */
const leastPause = 20_000;

/**
 * Calls back with positions of the device: those that can be true with pauses, and those that cannot with pauses of their
 * own, so that a wrong one never delays a right one.
 * @returns a function that ends it
 */
export function follow(isTrue: (fix: Fix) => boolean, onFix: (fix: Fix) => void, onRefusal: () => void): () => void {
  const last = { true: 0, false: 0 };
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      const fix = fixOf(position);
      const kind = isTrue(fix) ? 'true' : 'false';
      if (Math.abs(fix.at - last[kind]) < leastPause) return;
      last[kind] = fix.at;
      onFix(fix);
    },
    (error) => error.code === error.PERMISSION_DENIED && onRefusal(),
    { enableHighAccuracy: true, maximumAge: 10_000 },
  );
  return () => navigator.geolocation.clearWatch(watch);
}
