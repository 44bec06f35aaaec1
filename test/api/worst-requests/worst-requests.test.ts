import { maxBodyBytes } from '@waybill/contract/body-limit';
import { expect } from 'vitest';
import { completed } from '../../contract/coverage/complete.ts';
import { type ContractOperation, contractOperations, operationOf } from '../../fixtures/contract/contract.ts';
import { isLong } from '../../fixtures/long-form.ts';
import { type Sent, send } from '../../fixtures/requests/send.ts';
import { ready } from '../../fixtures/requests/valid-requests.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';
import { type Costly, costlyBodies, costlyHeads } from './costly.ts';

/** How many times longer than a valid request with a body of the largest size another one may hold the event loop. */
const factor = 5;
/** A garbage collection can fall into a measurement: the shortest of some counts. */
const attempts = 6;

/** CPU time of this thread, in microseconds. Other processes do not add to it. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Sends a request to a service in this thread. @returns the longest turn of the event loop meanwhile, as CPU time */
async function longestTurn(request: () => Promise<Response>) {
  let [longest, isRunning, last] = [0, true, processorTime()];
  const turn = (): void => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setTimeout(turn, 1);
  };
  turn();
  const response = await request();
  // An event stream stays open without work.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel();
  else await response.arrayBuffer();
  isRunning = false;
  return { status: response.status, time: longest };
}

type Send = (costly: Costly) => ReturnType<typeof longestTurn>;

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

/** The longest turn for a valid request with the largest body: the median of several. */
async function baseline(service: Service, account: TestAccount): Promise<number> {
  const operation = operationOf('createShipment');
  const send = await sender(service, account, operation);
  const body = JSON.stringify(operation.body).padEnd(maxBodyBytes);
  const times: number[] = [];
  for (let n = 0; n < 9; n++) times.push((await send({ name: 'valid', body })).time);
  return times.sort((a, b) => a - b)[4] as number;
}

/** Sends a request until it is quick enough, at most `attempts` times. @returns the shortest time */
async function shortest(send: Send, limit: number, request: Costly): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < attempts && least > limit; n++) {
    const { status, time } = await send(request);
    expect(status, request.name).toBeLessThan(500);
    least = Math.min(least, time);
    if (time > 20 * limit) break; // no garbage collection takes that long
  }
  return least;
}

/** All operations have the same checks of paths, queries and headers: the short form sends those to one of each method. */
const isFirstOfMethod = ({ id, method }: ContractOperation): boolean =>
  contractOperations.find((other) => other.method === method && other.path.includes('{'))?.id === id;
const getsHeads = (operation: ContractOperation): boolean => isLong || isFirstOfMethod(operation);
const tested = contractOperations.filter((operation) => (isLong && operation.bodySchema) || getsHeads(operation));

test.for(tested.map((operation) => [operation.id, operation] as const))(
  `%s does not hold the event loop longer than ${factor} valid requests with the largest body`,
  { timeout: 300_000 },
  async ([, operation], { service, account }) => {
    known ??= baseline(service, account);
    const limit = factor * (await known);
    const { bodySchema, body } = operation;
    const bodies = bodySchema ? costlyBodies(bodySchema, completed(bodySchema, body), maxBodyBytes) : [];
    const send = await sender(service, account, operation);
    for (const request of [...(getsHeads(operation) ? costlyHeads : []), ...bodies])
      expect.soft(await shortest(send, limit, request), `${request.name}: µs of CPU time`).toBeLessThanOrEqual(limit);
  },
);
