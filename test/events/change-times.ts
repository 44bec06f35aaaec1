import { streamLimits } from '@waybill/http/streamed-body';
import { streamTimes } from '@waybill/server/events/stream';
import { onTestFinished } from 'vitest';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';

/** Changes the times of streams for one test. */
export const changeTimes = (times: Partial<typeof streamTimes>): void => change(streamTimes, times);

/** Changes the limits of streams for one test. */
export const changeLimits = (limits: Partial<typeof streamLimits>): void => change(streamLimits, limits);

function change<T extends object>(values: T, changes: Partial<T>): void {
  notWithCluster('it changes values of this process');
  const usual = { ...values };
  Object.assign(values, changes);
  onTestFinished(() => void Object.assign(values, usual));
}
