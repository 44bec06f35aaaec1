import { activeStatuses } from './statuses.ts';

const minute = 60_000;

/** A carried shipment without a position for so long is at risk. */
const longSilence = 40 * minute;
/** An estimate is a time within an hour: only after that it has passed. */
const estimateTolerance = 60 * minute;

/** What of a shipment and its tracking status decides whether it needs attention. */
interface Progress {
  shipment: { pickup_window: { end: string }; delivery_window?: { end: string } | undefined };
  tracking: {
    status: string;
    eta: string | null;
    current_location: { updated_at: string } | null;
    exceptions?: { resolved_at?: string | undefined }[] | undefined;
  };
}

/** Why a shipment needs attention. `by` is in milliseconds. */
export type Need =
  | { kind: 'late'; by: number }
  | { kind: 'risk'; reason: 'exception' }
  | { kind: 'risk'; reason: 'pickup' | 'silent'; by: number };

/**
 * Why an active shipment needs attention, the most serious reason first. It is late if its delivery window has passed or will have
 * according to its estimate; without a window, if its estimate has passed. It is at risk with an open exception, without a pickup
 * after the pickup window, and without a position for 40 minutes while it is carried.
 * @param now milliseconds since 1970
 */
export function needsOf({ shipment, tracking }: Progress, now: number): Need[] {
  if (!activeStatuses.some((status) => status === tracking.status)) return [];
  const needs: Need[] = [];
  const planned = shipment.delivery_window && Date.parse(shipment.delivery_window.end);
  const eta = tracking.eta === null ? undefined : Date.parse(tracking.eta);
  if (planned !== undefined && Math.max(eta ?? 0, now) > planned)
    needs.push({ kind: 'late', by: Math.max(eta ?? 0, now) - planned });
  if (planned === undefined && eta !== undefined && now > eta + estimateTolerance)
    needs.push({ kind: 'late', by: now - eta });
  if (openExceptions(tracking).length > 0) needs.push({ kind: 'risk', reason: 'exception' });
  const unpicked = now - Date.parse(shipment.pickup_window.end);
  if (!isCarried(tracking) && unpicked > 0) needs.push({ kind: 'risk', reason: 'pickup', by: unpicked });
  const seen = lastSeen(tracking);
  if (isCarried(tracking) && seen !== undefined && now > seen + longSilence)
    needs.push({ kind: 'risk', reason: 'silent', by: now - seen });
  return needs;
}

/** The exceptions that are not resolved. */
export const openExceptions = <Exception extends { resolved_at?: string | undefined }>({
  exceptions = [],
}: {
  exceptions?: Exception[] | undefined;
}): Exception[] => exceptions.filter(({ resolved_at }) => resolved_at === undefined);

/** Whether a shipment is on a vehicle. */
export const isCarried = ({ status }: { status: string }): boolean => status === 'picked_up' || status === 'in_transit';

/** The time of the last position, in milliseconds since 1970. */
export const lastSeen = ({ current_location }: Pick<Progress['tracking'], 'current_location'>): number | undefined =>
  current_location ? Date.parse(current_location.updated_at) : undefined;
