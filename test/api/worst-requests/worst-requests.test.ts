import { maxBodyBytes } from '@waybill/contract/body-limit';
import { expect } from 'vitest';
import { completed } from '../../contract/coverage/complete.ts';
import { type ContractOperation, contractOperations } from '../../fixtures/contract.ts';
import { type Sent, send } from '../../fixtures/http.ts';
import { ready } from '../../fixtures/requests.ts';
import type { Service } from '../../fixtures/service.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';
import { costlyBodies } from './bodies.ts';
import { type CostlyHead, costlyHeads } from './heads.ts';
import { longestTurn, type Measured } from './turns.ts';

/** How many times longer than a valid request with a body of the largest size another one may hold the event loop. */
const factor = 5;
/** A garbage collection can fall into a measurement: the shortest of some counts. */
const attempts = 6;
const size = maxBodyBytes;

type Costly = Partial<CostlyHead> & { body?: string };
type Send = (costly: Costly) => Promise<Measured>;

/** Sends an operation's valid request with one part replaced. */
async function sender(service: Service, account: TestAccount, operation: ContractOperation): Promise<Send> {
  const valid: Sent = { key: account.key, ...(await ready(operation.id, account)) };
  return ({ body, headers = {}, query = '', segment }) => {
    const path = segment ? operation.path.replace(/{\w+}/g, segment) : operation.path;
    const file = body === undefined ? valid.file : { type: 'application/json', bytes: new TextEncoder().encode(body) };
    return longestTurn(() => send(service.baseUrl, { ...operation, path }, { ...valid, file, headers, query }));
  };
}

let known: Promise<number> | undefined;

/** The event loop's longest turn for a valid request with the largest body: the median of several. */
async function baseline(service: Service, account: TestAccount): Promise<number> {
  const operation = contractOperations.find(({ id }) => id === 'createShipment') as ContractOperation;
  const send = await sender(service, account, operation);
  const body = JSON.stringify(operation.body).padEnd(size);
  const times: number[] = [];
  for (let n = 0; n < 9; n++) times.push((await send({ body })).time);
  return times.sort((a, b) => a - b)[4] as number;
}

/** Sends each request until it is quick enough, at most `attempts` times; returns those that never were. */
async function slowOnes(send: Send, limit: number, requests: Costly[]): Promise<string[]> {
  const slow: string[] = [];
  let longest = 0;
  for (const request of requests) {
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < attempts && least > limit; n++) {
      const { status, time } = await send(request);
      expect(status, request.name).toBeLessThan(500);
      least = Math.min(least, time);
      if (time > 20 * limit) break; // no garbage collection takes that long
    }
    longest = Math.max(longest, least);
    if (least > limit) slow.push(`${request.name}: ${(least / 1000).toFixed(1)} ms of CPU time`);
  }
  console.info(`the longest turn of ${requests.length} requests: ${(longest / 1000).toFixed(1)} ms of CPU time`);
  return slow;
}

test.for(contractOperations.map((operation) => [operation.id, operation] as const))(
  `%s does not hold the event loop longer than ${factor} valid requests with the largest body`,
  { timeout: 300_000 },
  async ([, operation], { service, account }) => {
    known ??= baseline(service, account);
    const limit = factor * (await known);
    const { bodySchema } = operation;
    const valid = bodySchema && completed(bodySchema, operation.body);
    const bodies = bodySchema ? costlyBodies(bodySchema, valid, size) : [];
    const requests = [...costlyHeads, ...bodies.map(([name, body]) => ({ name, body }))];
    const slow = await slowOnes(await sender(service, account, operation), limit, requests);
    expect(slow, `limit ${(limit / 1000).toFixed(1)} ms`).toEqual([]);
  },
);
