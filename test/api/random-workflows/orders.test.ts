import { type Client, createClient, WaybillError } from '@waybill/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepsTo, type Target } from '../../fixtures/contract/lifecycle.ts';
import { isLong, randomSeed } from '../../fixtures/long-form.ts';
import { startService } from '../../fixtures/service/service.ts';
import { newShipment, type Shipment } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

/** What is reported of a shipment. */
interface Report {
  status: Target;
  timestamp: string;
}

/** End → the steps of which at least one is reported, too. */
const ends = {
  none: [],
  delivered: [],
  returned: ['picked_up', 'in_transit'],
  lost: stepsTo('in_transit'),
  cancelled: [],
} satisfies Record<string, Target[]>;

const hours = fc.integer({ min: 1, max: 24 * 60 });
/** Reports of a shipment, each of them one to three times, in any order, from four writers. */
const history = fc
  .record({
    end: fc.constantFrom(...(Object.keys(ends) as (keyof typeof ends)[])),
    steps: fc.subarray(stepsTo('in_transit')),
  })
  .map(({ end, steps }): { end: keyof typeof ends; statuses: Target[] } => {
    const needed: Target[] = ends[end];
    const possible = end === 'cancelled' ? steps.filter((step) => step === 'dispatched') : steps;
    const missing = needed.length > 0 && !possible.some((step) => needed.includes(step)) ? needed.slice(0, 1) : [];
    return { end, statuses: [...possible, ...missing, ...(end === 'none' ? [] : [end])] };
  })
  .chain(({ end, statuses }) =>
    fc.tuple(...statuses.map(() => fc.tuple(hours, fc.integer({ min: 1, max: 3 })))).chain((draws) => {
      const reports = statuses.map((status, index): Report => {
        const [drawn = 1] = draws[index] ?? [];
        const ago = status === end ? 0.5 : drawn; // nothing is later than an end
        return { status, timestamp: new Date(Date.now() - ago * 3_600_000 + index).toISOString() };
      });
      const repeated = reports.flatMap((report, index) => Array.from({ length: draws[index]?.[1] ?? 1 }, () => report));
      return fc.shuffledSubarray(repeated, { minLength: repeated.length }).map((sent) => ({ end, reports, sent }));
    }),
  );

/** Sends a report. @returns whether the shipment has it now */
async function send(client: Client, { id, tracking_number }: Shipment, { status, timestamp }: Report) {
  try {
    if (status === 'cancelled') await client.cancelShipment({ shipment_id: id, reason: 'No truck.' });
    else await client.recordTrackingEvent({ tracking_number, status, timestamp });
    return true;
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error;
    if (error.code === 'status_recorded') return true;
    expect(error.code).toBe('invalid_transition'); // an end, before what it follows
    return false;
  }
}

const count = isLong ? 10_000 : 25;

test(`the reports of ${count} shipments, in any order, repeated, of four writers, make the same status and timeline`, {
  timeout: 600_000 + count * 500,
}, async () => {
  await using first = await startService();
  await using second = await startService({ STORAGE_URL: `file:${first.storageFolder}` });
  const account = await newAccount(first);
  const writers = [first, second, first, second].map(({ baseUrl }) => createClient({ baseUrl, apiKey: account.key }));
  const check = async ({ end, reports, sent }: (typeof histories)[number]) => {
    const shipment = await newShipment(account);
    const refused = await Promise.all(
      writers.map(async (client, writer) => {
        const left: Report[] = [];
        for (const report of sent.filter((_, index) => index % writers.length === writer))
          if (!(await send(client, shipment, report))) left.push(report);
        return left;
      }),
    );
    // What was refused is sent again, as a queue does.
    for (const report of refused.flat()) expect(await send(account.client, shipment, report)).toBe(true);
    const { status, timeline } = await account.client.getTracking({ tracking_number: shipment.tracking_number });
    const furthest = stepsTo('in_transit').findLast((step) => reports.some((one) => one.status === step));
    const described = timeline.map((entry) =>
      /scheduled|cancelled/.test(entry.status) ? entry.status : `${entry.timestamp} ${entry.status}`,
    );
    const expected = reports.filter((one) => one.status !== 'cancelled').map((one) => `${one.timestamp} ${one.status}`);
    expect([status, described]).toEqual([
      end === 'none' ? (furthest ?? 'scheduled') : end,
      [...expected.sort(), 'scheduled', ...(end === 'cancelled' ? ['cancelled'] : [])],
    ]);
  };
  const histories = fc.sample(history, { numRuns: count, seed: randomSeed() });
  for (let at = 0; at < histories.length; at += 16) await Promise.all(histories.slice(at, at + 16).map(check));
});
