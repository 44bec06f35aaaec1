import type { ResponseEvent } from '@waybill/client';

/** Milliseconds by which the clock of a phone may differ: the service accepts minutes, and a correction must not alternate. */
const tolerance = 30_000;

/**
 * Milliseconds to add to the clock of the phone, so that it is that of the service.
 * @param known what was added before
 * @param response when its `Date` was, when it had arrived by the clock of the phone, and how long it took
 */
export function offsetAfter(
  known: number | undefined,
  { date, arrived, duration }: { date: number; arrived: number; duration: number },
): number {
  const least = date - arrived;
  const most = date + 1_000 - (arrived - duration); // Date has whole seconds
  const current = known ?? 0;
  return current < least - tolerance || current > most + tolerance ? (least + most) / 2 : current;
}

/** The clock of the service, as far as the responses to this page tell it. */
export interface ServiceClock {
  /** Undefined before the first response. */
  offset(): number | undefined;
  now(): Date;
  observe(response: Pick<ResponseEvent, 'responseHeaders' | 'duration' | 'requestId'>): void;
}

export function createClock(): ServiceClock {
  let offset: number | undefined;
  return {
    offset: () => offset,
    now: () => new Date(Date.now() + (offset ?? 0)),
    observe({ responseHeaders, duration, requestId }) {
      const date = Date.parse(responseHeaders.get('Date') ?? '');
      // The portal of a guest network has a clock of its own, and no request id.
      if (requestId !== null && !Number.isNaN(date))
        offset = offsetAfter(offset, { date, arrived: Date.now(), duration });
    },
  };
}
