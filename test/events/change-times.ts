import { streamTimes } from '@waybill/server/event-feed/stream-times';
import { onTestFinished } from 'vitest';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';

/** Changes the times of streams for one test. */
export function changeTimes(times: Partial<typeof streamTimes>): void {
  notWithCluster('it changes the times of this process');
  const usual = { ...streamTimes };
  Object.assign(streamTimes, times);
  onTestFinished(() => void Object.assign(streamTimes, usual));
}
