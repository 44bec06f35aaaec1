import { expect } from 'vitest';
import { type OperationId, operationIds, operationOf, type Schema } from '../../fixtures/contract.ts';
import { isLong, randomSeed } from '../../fixtures/long-form.ts';
import { stateOf } from '../../fixtures/state.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { drawing } from './given.ts';
import { breaksOfOperation, performInvalid } from './invalid-requests.ts';
import { prepare } from './prepare.ts';
import { contractParts, performValid, validRequest } from './requests.ts';

const firstSeed = randomSeed();
/** How many requests have random values, and how often each request is made invalid in each way. */
const [randomRequests, rounds] = isLong ? [120, 20] : [3, 1];
const timeout = 120_000 * rounds; // a safety net: the work is bounded, not the time

/** How many requests have every value at its limits: without optional fields, at the highest, at the lowest. */
const limitsOf = (id: OperationId): number =>
  Math.max(3, ...contractParts.filter(({ operation }) => operation === id).map(({ schema }) => longestEnum(schema)));
const longestEnum = ({ properties = {}, enum: allowed = [] }: Schema): number =>
  Math.max(allowed.length, ...Object.values(properties).map(longestEnum));

test.for(operationIds)(
  '%s returns what the contract documents for valid requests: random ones, and with each value at its limits',
  { timeout },
  async (id, { service }) => {
    const newState = async (nth?: number) => {
      const account = await newAccount(service);
      return { key: account.key, prepared: await prepare(id, account, nth === 1 ? 10 : 2) };
    };
    const limits = Array.from({ length: limitsOf(id) }, (_, nth) => nth);
    let state = await newState();
    for (const [index, nth] of [...Array<undefined>(randomRequests).fill(undefined), ...limits].entries()) {
      if (operationOf(id).method !== 'GET' && index > 0) state = await newState(nth);
      const { key, prepared } = state;
      const made = validRequest(id, prepared, { draw: drawing(firstSeed + index), nth });
      const { status, body } = await performValid({ baseUrl: service.baseUrl, key }, made, firstSeed);
      if (status < 300 && ['createShipment', 'updateShipment'].includes(id)) {
        // Of a change, null removes a field. A response has other timestamps, and no handover code.
        const sent = JSON.parse(JSON.stringify(made.body, (_, value) => value ?? undefined));
        const { pickup_window: _, delivery_window: __, handover_code: ___, ...text } = sent;
        expect(body, 'text is stored as sent').toMatchObject(text);
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
    for (let round = 0; round < rounds; round++) {
      for (const one of breaksOfOperation(id)) await performInvalid(to, one, prepared, firstSeed + round);
    }
    expect(await stateOf(service, account)).toEqual(before);
  },
);
