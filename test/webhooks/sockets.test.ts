import { socketLimits } from '@waybill/server/webhooks/socket-limits';
import { expect, test, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const { signal } = new AbortController();
const slow = 'https://slow.example.com/hook';

/** Limits, and what has entered, by the name of the attempt. */
function attempts(options: Parameters<typeof socketLimits>[0]) {
  const limits = socketLimits({ waitTimeout: 2 ** 30, ...options });
  const releases = new Map<string, (() => void) | undefined>();
  return {
    enter: (name: string, account: string, url = slow, end = signal) =>
      void limits.enter(account, url, end).then((release) => releases.set(name, release)),
    entered: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...releases.keys()];
    },
    releases,
  };
}

test('a slow host delays no request of another account, or to another host or port', async () => {
  const { enter, entered } = attempts({});
  for (let count = 0; count < 200; count++) enter(`a${count}`, 'a');
  enter('b', 'b');
  enter('other host', 'a', 'https://fast.example.com/hook');
  enter('other port', 'a', 'https://slow.example.com:8443/hook');
  const found = await entered();
  expect(found).toEqual(expect.arrayContaining(['b', 'other host', 'other port']));
  expect(found).toHaveLength(64 + 3);
});

test('a released socket is free for the host and for the instance', async () => {
  const { enter, entered, releases } = attempts({ slots: 1, slotsPerAccount: 1, slotsPerHost: 1 });
  enter('first', 'a');
  enter('second', 'a');
  enter('third', 'b', 'https://fast.example.com/');
  expect(await entered()).toEqual(['first']);
  releases.get('first')?.();
  expect(await entered()).toEqual(['first', 'third']);
  releases.get('third')?.();
  expect(await entered()).toEqual(['first', 'third', 'second']);
});

test.for([
  ['a stop', 'the host', { slotsPerHost: 1 }],
  ['a stop', 'the instance', { slots: 1, slotsPerAccount: 1 }],
  ['a stop', 'a place in the queue', { slotsPerHost: 1, maxWaiting: 0 }],
  ['time', 'the host', { slotsPerHost: 1, waitTimeout: 1 }],
] as const)('%s ends the wait for %s, and the socket is free for others afterwards', async ([by, , options]) => {
  const { enter, entered, releases } = attempts(options);
  const stop = new AbortController();
  enter('first', 'a');
  enter('ended', 'a', slow, stop.signal);
  if (by === 'a stop') {
    expect(await entered()).toEqual(['first']);
    stop.abort();
  }
  await vi.waitFor(async () => expect(await entered()).toEqual(['first', 'ended']), waitTimeout);
  expect(releases.get('ended')).toBeUndefined();
  releases.get('first')?.();
  enter('next', 'a');
  await entered();
  expect(releases.get('next')).toBeTypeOf('function');
});
