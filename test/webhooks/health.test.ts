import { type AttemptResult, failingSince } from '@waybill/server/webhooks/health';
import { expect, test } from 'vitest';

const before = new Date(0);
const results = (succeeded: boolean[]) => succeeded.map((each) => ({ succeeded: each })) as AttemptResult[];

test.for<[Date | null, boolean[], 'before' | 'now' | null]>([
  [null, [true], null],
  [null, [false], 'now'],
  [before, [false, false], 'before'],
  [before, [false, true], null],
  [before, [true, false], 'now'],
])('after %s, results %j', ([since, succeeded, expected]) => {
  const found = failingSince(since, results(succeeded));
  if (expected === 'now') expect(found?.getTime()).toBeGreaterThan(before.getTime());
  else expect(found).toBe(expected && before);
});
