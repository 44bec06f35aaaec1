import fc from 'fast-check';
import { test } from 'vitest';
import { isLong, randomSeed } from '../../fixtures/long-form.ts';
import { startService } from '../../fixtures/service.ts';
import { newActor, newKnown } from './environment.ts';
import { checkInvariants } from './invariants.ts';
import { runCommands, sequences } from './run-commands.ts';

const runs = isLong ? 120 : 6;
const isRepeated = process.env.WAYBILL_SEED !== undefined;

test(`${runs} random sequences of three clients, two of one account, at two instances of the service break no invariant`, {
  timeout: 600_000 + runs * 10_000, // a safety net: the work is bounded, not the time
}, async () => {
  await using first = await startService();
  await using second = await startService({ STORAGE_URL: `file:${first.storageFolder}` });

  const property = fc.asyncProperty(sequences, async (commands) => {
    const [mine, theirs] = [await newKnown(first), await newKnown(first)];
    const actors = [newActor(first, mine), newActor(second, mine), newActor(first, theirs)];
    const played = await Promise.allSettled(actors.map((who, n) => runCommands(who, commands[n] ?? [])));
    for (const result of played) if (result.status === 'rejected') throw result.reason;
    for (const who of actors.slice(1)) await checkInvariants(who);
  });
  // The seed does not fix the order of concurrent requests, so failures are shrunk only for a given seed.
  await fc.assert(property, {
    numRuns: runs,
    endOnFailure: !isRepeated,
    seed: randomSeed(),
  });
});
