import { onTestFinished } from 'vitest';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';

/** Changes values of the service, such as times of streams, for one test. */
export function changeValues<T extends object>(values: T, changes: Partial<T>): void {
  notWithCluster('it changes values of this process');
  const usual = { ...values };
  Object.assign(values, changes);
  onTestFinished(() => void Object.assign(values, usual));
}
