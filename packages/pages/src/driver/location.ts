/** A position that the device has measured, with its own time. */
export interface Fix {
  lat: number;
  lng: number;
  /** ISO 8601. */
  updated_at: string;
}

const fixOf = ({ coords, timestamp }: GeolocationPosition): Fix => ({
  lat: coords.latitude,
  lng: coords.longitude,
  updated_at: new Date(timestamp).toISOString(),
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

/** Calls back with positions of the device. @returns a function that ends it */
export function follow(onFix: (fix: Fix) => void, onRefusal: () => void): () => void {
  let last = 0;
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      if (position.timestamp - last < leastPause) return;
      last = position.timestamp;
      onFix(fixOf(position));
    },
    (error) => error.code === error.PERMISSION_DENIED && onRefusal(),
    { enableHighAccuracy: true, maximumAge: 10_000 },
  );
  return () => navigator.geolocation.clearWatch(watch);
}
