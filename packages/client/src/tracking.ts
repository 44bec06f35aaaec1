import { checkKeys, checkMilliseconds } from './arguments.ts';
import type { ApiResponse, CallOptions } from './calls.ts';
import { pause } from './deadline.ts';
import { AbortError, TimeoutError, WaybillClientError } from './errors.ts';
import { nextStatuses } from './generated/table.ts';
import type { KnownShipmentStatus, TrackingNumber, TrackingStatus } from './generated/types.ts';
import type { Operations } from './operations.ts';

/** What `trackUntil` waits for. */
export interface TrackingParams {
  /** The shipment's tracking number. */
  tracking_number: TrackingNumber;
  /** The status to wait for, or several: the first one reached ends the wait. */
  status: KnownShipmentStatus | KnownShipmentStatus[];
}

/** Options of `trackUntil`. */
export interface TrackingOptions {
  /** Milliseconds between two reads. Default: 15,000. */
  interval?: number | undefined;
  /** Aborts the wait, which then rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the wait rejects with a `TimeoutError`. Default: no limit. */
  timeout?: number | undefined;
}

/** The shipment cannot reach the status any more, for example because it is cancelled. */
export class UnreachableStatusError extends WaybillClientError {
  static {
    UnreachableStatusError.prototype.name = 'UnreachableStatusError';
  }

  /** The last tracking status. */
  readonly tracking: TrackingStatus;

  constructor(message: string, response: ApiResponse<TrackingStatus>) {
    super(message, { ...response, operation: 'getTracking', idempotencyKey: null });
    this.tracking = response.data;
  }
}

/** Whether a shipment can still reach a status. The successors of an unknown status are unknown. */
function canReach(from: string, status: string): boolean {
  const next = nextStatuses[from];
  return next === undefined || next.some((one) => one === status || canReach(one, status));
}

/** See `Client.trackUntil`. */
export async function trackUntil(
  getTracking: Operations['getTracking'],
  params: TrackingParams,
  options: TrackingOptions = {},
): Promise<TrackingStatus> {
  checkKeys('trackUntil', params, ['tracking_number', 'status']);
  checkKeys('trackUntil options', options, ['interval', 'signal', 'timeout']);
  const { tracking_number, status } = params;
  const { interval = 15_000, signal, timeout = Number.POSITIVE_INFINITY } = options;
  checkMilliseconds('interval', interval);
  const end = performance.now() + checkMilliseconds('timeout', timeout);
  const wanted = [status].flat();
  let last: ApiResponse<TrackingStatus> | undefined;
  for (;;) {
    const left = end - performance.now();
    const call: CallOptions = { signal, ...(left < 30_000 && { timeout: Math.max(left, 1) }) };
    const response = await getTracking({ tracking_number }, { ...call, ifNoneMatch: last?.etag }).withResponse();
    const { data = last?.data } = response;
    if (!data) throw new TypeError('A first read cannot return 304.');
    last = { ...response, data };
    const context = { ...response, operation: 'getTracking', idempotencyKey: null } as const;
    const state = `${tracking_number} is ${data.status}, not ${wanted.join(' or ')}`;
    if (data.timeline.some((entry) => !entry.voided_at && wanted.some((one) => one === entry.status))) return data;
    if (!wanted.some((one) => canReach(data.status, one))) {
      throw new UnreachableStatusError(`trackUntil: ${state}, and cannot reach it any more`, last);
    }
    if (performance.now() + interval >= end) {
      throw new TimeoutError(`trackUntil: ${state}, after ${timeout} ms`, context);
    }
    if (!(await pause(interval, signal))) {
      throw new AbortError(`trackUntil: the caller aborted the wait; ${state}`, context, { cause: signal?.reason });
    }
  }
}
