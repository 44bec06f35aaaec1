import { expect } from 'vitest';
import { operationIds, operationOf, type Schema } from '../../fixtures/contract/contract.ts';
import { stateOf } from '../../fixtures/database/state-of-account.ts';
import { isLong, randomSeed } from '../../fixtures/long-form.ts';
import { prismRequestViolations, prismViolations } from '../../fixtures/programs/prism.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { drawing } from './given.ts';
import { prepare } from './prepare.ts';
import { expectedOf, invalidRequests, perform, schemasOf, validRequest } from './requests.ts';

const firstSeed = randomSeed();
/** How many requests have random values, and how often each request is made invalid in each way. */
const [randomRequests, rounds] = isLong ? [120, 20] : [1, 1];
const timeout = 120_000 * rounds; // a safety net: the work is bounded, not the time

const longestEnum = ({ properties = {}, enum: allowed = [] }: Schema): number =>
  Math.max(allowed.length, ...Object.values(properties).map(longestEnum));

test.for(operationIds)(
  '%s returns what the contract documents for valid requests: random ones, and with each value at its limits',
  { timeout },
  async (id, { service: { db, baseUrl } }) => {
    const operation = operationOf(id);
    const newState = async (nth?: number) => {
      const account = await newAccount({ db, baseUrl });
      return { key: account.key, prepared: await prepare(id, account, nth === 1 ? 10 : 2) };
    };
    // Every value at its limits: without optional fields, at the highest, at the lowest, and with each value of an enum.
    const limits = Array.from(
      { length: Math.max(3, ...Object.values(schemasOf(id)).map(longestEnum)) },
      (_, nth) => nth,
    );
    let state = await newState();
    for (const [index, nth] of [...Array<undefined>(randomRequests).fill(undefined), ...limits].entries()) {
      if (operation.method !== 'GET' && index > 0) state = await newState(nth);
      const { key, prepared } = state;
      const made = validRequest(id, prepared, { draw: drawing(firstSeed + index), nth });
      const received = await perform({ baseUrl, key }, made, expectedOf(made), firstSeed);
      expect(prismRequestViolations(operation, received.sent)).toEqual([]);
      expect(prismViolations(operation, received)).toEqual([]);
      if (received.status < 300 && ['createShipment', 'updateShipment'].includes(id)) {
        // Null removes a field. A response has other timestamps, freight classes as text, and no handover code.
        const asStored = (name: string, value: unknown) =>
          name === 'freight_class' ? String(value) : (value ?? undefined);
        const sent = JSON.parse(JSON.stringify(made.body, asStored));
        const { pickup_window: _, delivery_window: __, handover_code: ___, ...text } = sent;
        expect(received.body, 'text is stored as sent').toMatchObject(text);
      }
    }
  },
);

test.for(operationIds)(
  '%s names each invalid field of a request, and stores nothing',
  { timeout },
  async (id, { service, account }) => {
    const prepared = await prepare(id, account);
    const before = await stateOf(service, account);
    const to = { baseUrl: service.baseUrl, key: account.key };
    for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
      for (const { made, expected } of invalidRequests(id, prepared, drawing(seed)))
        await perform(to, made, expected, seed);
    }
    expect(await stateOf(service, account)).toEqual(before);
  },
);
