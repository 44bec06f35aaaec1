import { expect } from 'vitest';
import { type Problem, receive } from '../../fixtures/http.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

test('of several invalid parts of a request, the contract’s first one is reported', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const request = {
    authorization: 'Bearer no-key',
    'content-type': 'text/plain',
    'idempotency-key': '',
    number: '-',
    query: '?unknown=1',
    body: '{',
  };
  const report = async (): Promise<string> => {
    const { number, query, body, ...headers } = request;
    const url = `${service.baseUrl}/tracking/${number}/events${query}`;
    const { status, body: problem } = await receive(await fetch(url, { method: 'POST', headers, body }));
    const { code, errors = [] } = problem as Problem;
    return [status, code, ...errors.map((error) => `${error.in} ${error.pointer}`)].join(' ');
  };
  expect(await report()).toBe('401 unauthenticated');
  request.authorization = `Bearer ${await account.keyWith(['tracking:read'])}`;
  expect(await report()).toBe('403 insufficient_scope');
  request.authorization = `Bearer ${account.key}`;
  expect(await report()).toBe('415 unsupported_media_type');
  request['content-type'] = 'application/json';
  expect(await report()).toBe('400 malformed_request');
  request.body = '';
  expect(await report()).toBe('404 not_found');
  request.number = tracking_number;
  expect(await report()).toBe('400 invalid_request body ');
  request.body = '{"status":"dispatched"}';
  expect(await report()).toBe('400 invalid_request body /timestamp');
  request.body = JSON.stringify({ status: 'dispatched', timestamp: new Date().toISOString() });
  expect(await report()).toBe('400 invalid_request query /unknown');
  request.query = '';
  expect(await report()).toBe('400 invalid_request headers /idempotency-key');
  request['idempotency-key'] = 'key';
  expect(await report()).toMatch(/^201/);
});
