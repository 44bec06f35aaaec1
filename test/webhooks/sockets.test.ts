import { socketLimits } from '@waybill/server/webhooks/socket-limits';
import { expect, test } from 'vitest';

const { signal } = new AbortController();
const slow = 'https://slow.example.com/hook';

/** Limits whose waits do not end by themselves, and what has entered, by the name of the attempt. */
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

test('a free socket of the instance goes to the account with the fewest', async () => {
  const { enter, entered, releases } = attempts({ slots: 4, slotsPerAccount: 3 });
  for (let count = 1; count <= 9; count++) enter(`a${count}`, 'a', `https://host${count}.example.com/`);
  enter('b1', 'b');
  enter('b2', 'b');
  expect(await entered()).toEqual(['a1', 'a2', 'a3', 'b1']);
  releases.get('a1')?.();
  expect((await entered()).at(-1)).toBe('b2');
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
  ['the host', { slotsPerHost: 1 }],
  ['the instance', { slots: 1, slotsPerAccount: 1 }],
  ['a place in the queue', { slotsPerHost: 1, maxWaiting: 0 }],
] as const)('a stop ends the wait for %s, and the socket is free for others afterwards', async ([, options]) => {
  const { enter, entered, releases } = attempts(options);
  const stop = new AbortController();
  enter('first', 'a');
  enter('stopped', 'a', slow, stop.signal);
  expect(await entered()).toEqual(['first']);
  stop.abort();
  expect(await entered()).toEqual(['first', 'stopped']);
  expect(releases.get('stopped')).toBeUndefined();
  releases.get('first')?.();
  enter('next', 'a');
  await entered();
  expect(releases.get('next')).toBeTypeOf('function');
});

test('the wait for a socket ends by itself', async () => {
  const limits = socketLimits({ slotsPerHost: 1, waitTimeout: 1 });
  await limits.enter('a', slow, signal);
  expect(await limits.enter('a', slow, signal)).toBeUndefined();
});
