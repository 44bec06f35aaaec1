import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import fc from 'fast-check';
import { expect } from 'vitest';
import { contractOperations, operationIds } from '../fixtures/contract.ts';
import type { Service } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';
import { newEnvironment, type Tally } from './environment.ts';
import { breaks } from './invalid-requests.ts';
import { checkUnchanged } from './perform.ts';
import { contractParts } from './requests.ts';
import { everyStep, play, type Step, someSteps } from './steps.ts';

/** How many random sequences follow the fixed steps, and the seed of a failure to repeat. */
const { WAYBILL_FUZZ_RUNS = '10', WAYBILL_FUZZ_SEED = String(Math.floor(Math.random() * 1e9)) } = process.env;
const runs = settingOf('WAYBILL_FUZZ_RUNS', WAYBILL_FUZZ_RUNS);
const firstSeed = settingOf('WAYBILL_FUZZ_SEED', WAYBILL_FUZZ_SEED);

function settingOf(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name} is '${text}'. Give it a whole number from 0 to 999999999, or leave it out.`);
}

/** How long a failure is shrunk, in milliseconds. */
const shrinking = 15_000;

/** Runs steps in a new account; reports the smallest failing sequence, request by request. */
async function fuzz(service: Service, tally: Tally, seed: number, steps: fc.Arbitrary<Step[]>): Promise<void> {
  let failedAt = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(steps, async (some) => {
    if (Date.now() > failedAt + shrinking) return;
    const environment = await newEnvironment(service, tally);
    try {
      for (const step of some) await play(environment, step);
      await checkUnchanged(environment);
    } catch (cause) {
      failedAt = Math.min(failedAt, Date.now());
      const lines = environment.trace.slice(-30).map((line) => line.slice(0, 3000));
      throw new Error(`${(cause as Error).message}\n${lines.join('\n')}`, { cause });
    }
  });
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 1 });
  if (!failed) return;
  const again = `WAYBILL_FUZZ_SEED=${seed} npx -y pnpm@12 --filter @waybill/test exec vitest run fuzz`;
  throw new Error(`To repeat: ${again}\n${(errorInstance as Error).message}`, { cause: errorInstance });
}

/** The documented responses that must occur. Conflicts are checked for every status of a shipment. */
const documented = contractOperations.flatMap(({ id, responses }) =>
  Object.keys(responses).flatMap((status) => (/^(2..|400|404)$/.test(status) ? `${id} ${status}` : [])),
);

test('the fuzzer breaks every keyword that a request of the contract can break', () => {
  const used = new Set(contractParts.flatMap(({ schema }) => keysIn(schema)));
  const breakable = Object.keys(fieldErrorCodes).filter((keyword) => used.has(keyword));
  expect(breakable.filter((keyword) => !breaks.some(({ name }) => name.endsWith(` ${keyword}`)))).toEqual([]);
  expect(breakable).toEqual(
    expect.arrayContaining(['type', 'after', 'not_before', 'max_ahead', 'max_before_previous']),
  );
});

function keysIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return [...Object.keys(node), ...Object.values(node).flatMap(keysIn)];
}

test.for(operationIds)(
  '%s returns what the contract documents for valid requests, for values at every limit and for every invalid field',
  async (id, { service }) => {
    const tally: Tally = { requests: 0, reached: new Set() };
    await fuzz(service, tally, firstSeed, fc.constant(everyStep(id, firstSeed)));
    const due = documented.filter((response) => response.startsWith(`${id} `));
    expect(
      due.filter((response) => !tally.reached.has(response)),
      'never reached',
    ).toEqual([]);
  },
);

test(`${runs} random sequences of requests return what the contract documents`, {
  timeout: 600_000 + runs * 10_000, // a safety net: the work is bounded, not the time
}, async ({ service }) => {
  const tally: Tally = { requests: 0, reached: new Set() };
  for (let run = 0; run < runs; run++) await fuzz(service, tally, firstSeed + run, someSteps);
  console.info(`fuzz: seed ${firstSeed}, ${tally.requests} requests`);
});
