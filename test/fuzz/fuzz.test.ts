import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import { expect } from 'vitest';
import { contractOperations, type OperationId, operationIds } from '../fixtures/contract.ts';
import { isLong, randomSeed } from '../fixtures/long-form.ts';
import type { Service } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';
import { newEnvironment } from './environment.ts';
import { breaks } from './invalid-requests.ts';
import { checkUnchanged } from './perform.ts';
import { contractParts } from './requests.ts';
import { everyStep, play } from './steps.ts';

/** With how many seeds every step is taken, and the first seed. */
const runs = isLong ? 20 : 1;
const firstSeed = randomSeed();

/** Takes every step of an operation in a new account; a failure reports the last requests. @returns the responses */
async function fuzz(service: Service, id: OperationId, seed: number): Promise<Set<string>> {
  const environment = await newEnvironment(service);
  try {
    for (const step of everyStep(id, seed)) await play(environment, step);
    await checkUnchanged(environment);
    return environment.reached;
  } catch (cause) {
    const lines = environment.trace.slice(-10).map((line) => line.slice(0, 3000));
    const again = `WAYBILL_SEED=${seed} npx -y pnpm@12 test:only fuzz`;
    throw new Error(`To repeat: ${again}\n${(cause as Error).message}\n${lines.join('\n')}`, { cause });
  }
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
  { timeout: 120_000 * Math.max(1, runs) }, // a safety net: the work is bounded, not the time
  async (id, { service }) => {
    const due = documented.filter((response) => response.startsWith(`${id} `));
    for (let run = 0; run < runs; run++) {
      expect([...(await fuzz(service, id, firstSeed + run))]).toEqual(expect.arrayContaining(due));
    }
  },
);
