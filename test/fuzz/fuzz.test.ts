import fc from 'fast-check';
import { expect } from 'vitest';
import { contractOperations, operationIds } from '../fixtures/contract.ts';
import type { Service } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';
import { newEnvironment, type Tally } from './environment.ts';
import { breaks, everyStep, play, type Step, someSteps } from './steps.ts';

/** How many random sequences follow the fixed steps, and the seed of a failure to repeat. */
const { WAYBILL_FUZZ_RUNS = '15', WAYBILL_FUZZ_SEED = String(Math.floor(Math.random() * 1e9)) } = process.env;
const runs = settingOf('WAYBILL_FUZZ_RUNS', WAYBILL_FUZZ_RUNS, 0);
const firstSeed = settingOf('WAYBILL_FUZZ_SEED', WAYBILL_FUZZ_SEED, 0);

function settingOf(name: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} is '${text}'. Give it a whole number from ${least} to 999999999, or leave it out.`);
}

/** How long a failure is shrunk, in milliseconds. */
const shrinking = 15_000;

/** Runs steps in a new account; reports the smallest failing sequence, request by request. */
async function fuzz(service: Service, tally: Tally, seed: number, steps: fc.Arbitrary<Step[]>): Promise<void> {
  let trace: string[] = [];
  let failedAt = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(steps, async (some) => {
    if (Date.now() > failedAt + shrinking) return;
    const environment = await newEnvironment(service, tally);
    try {
      for (const step of some) await play(environment, step);
    } catch (error) {
      trace = environment.trace;
      failedAt = Math.min(failedAt, Date.now());
      throw error;
    }
  });
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 1 });
  if (!failed) return;
  const again = `WAYBILL_FUZZ_SEED=${seed} npx -y pnpm@12 --filter @waybill/test exec vitest run fuzz`;
  const lines = trace
    .slice(-30)
    .map((line) => (line.length > 3000 ? `${line.slice(0, 2000)} … ${line.slice(-900)}` : line));
  throw new Error(`Seed ${seed}; to repeat: ${again}\n${(errorInstance as Error).message}\n${lines.join('\n')}`, {
    cause: errorInstance,
  });
}

/** The documented responses that must occur. Conflicts are checked for every status of a shipment. */
const documented = contractOperations.flatMap(({ id, responses }) =>
  Object.keys(responses).flatMap((status) => (/^(2..|304|400|404|422)$/.test(status) ? `${id} ${status}` : [])),
);

test(`every valid and every invalid request made from the contract, and ${runs} random sequences of them, return what it documents`, {
  timeout: 600_000 + runs * 10_000, // a safety net: the work is bounded, not the time
}, async ({ service }) => {
  const tally: Tally = { requests: 0, reached: new Set() };
  for (const id of operationIds) await fuzz(service, tally, firstSeed, fc.constant(everyStep(id, firstSeed)));
  for (let run = 0; run < runs; run++) await fuzz(service, tally, firstSeed + run, someSteps);
  console.info(`fuzz: seed ${firstSeed}, ${tally.requests} requests, ${breaks.length} ways to break one`);
  const due = [...documented, ...breaks.map(({ name }) => name)];
  expect(
    due.filter((one) => !tally.reached.has(one)),
    'never reached',
  ).toEqual([]);
});
