import { expect } from 'vitest';
import type { Problem } from '../fixtures/http.ts';
import { post } from '../fixtures/post.ts';
import { newPosition } from '../fixtures/requests.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const listOf = (length: number, item: (index: number) => unknown): unknown[] =>
  Array.from({ length }, (_, index) => item(index));
const unknownFields = (length: number): object =>
  Object.fromEntries(listOf(length, (index) => [`field${index}`, index]) as [string, number][]);
const nested = (depth: number): string => `{"reason":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test.for([
  ['20,000 unknown fields', JSON.stringify(unknownFields(20_000)), 'The body has more than 120 values.'],
  ['a list of 20,000 objects', JSON.stringify({ reason: listOf(20_000, () => ({})) }), 'more than 120 values'],
  ['11 levels', nested(11), 'The body is nested more than 10 levels deep.'],
  ['300,000 levels', nested(300_000), 'The body is nested more than 10 levels deep.'],
  ['a member twice', '{"reason":"a","reason":"b"}', 'two members with the same name'],
  ['a member twice, once escaped', '{"reason":"a","\\u0072eason":"b"}', 'two members with the same name'],
  ['an inner member twice', '{"reason":[{"a":1,"a":1}]}', 'two members with the same name'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'two members with the same name'],
  ['a string without an end', '{"reason":"a', 'The body is not valid JSON.'],
  ['a string that ends with a backslash', '{"reason":"a\\', 'The body is not valid JSON.'],
] as const)('cancelShipment returns 400 malformed_request for %s', async ([, body, detail], { service, account }) => {
  const { id } = await newShipment(account);
  const response = await post(service, account, { path: `/shipments/${id}/cancel`, body });
  expect(response.body).toMatchObject({
    status: 400,
    code: 'malformed_request',
    detail: expect.stringContaining(detail),
  });
});

test('cancelShipment returns the first 50 of 60 unknown fields', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const body = JSON.stringify({ reason: 'a', ...unknownFields(60) });
  const response = await post(service, account, { path: `/shipments/${id}/cancel`, body });
  expect((response.body as Problem).errors?.map(({ pointer }) => pointer)).toEqual(
    listOf(50, (index) => `/field${index}`),
  );
});

test('cancelShipment accepts a reason full of JSON syntax', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const body = JSON.stringify({ reason: '{[,:"\\'.repeat(80) });
  expect((await post(service, account, { path: `/shipments/${id}/cancel`, body })).status).toBe(200);
});

test.for([
  ['101 empty objects', 101, (): object => ({})],
  ['1,000 valid positions', 1000, (): object => newPosition()],
  ['5,000 numbers', 5000, (): number => 0],
] as const)('recordPositions returns too_long for %s', async ([, length, item], { service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const body = JSON.stringify({ positions: listOf(length, item), eta: 'soon' });
  const response = await post(service, account, { path: `/tracking/${tracking_number}/positions`, body });
  expect((response.body as Problem).errors).toEqual([
    { in: 'body', pointer: '/positions', code: 'too_long', detail: 'must have at most 100 items' },
  ]);
});
