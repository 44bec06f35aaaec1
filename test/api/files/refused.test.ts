import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { largePng, uniquePng } from '../../fixtures/images.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { post } from '../../fixtures/post.ts';
import { newUploadUrl, put } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const largest = largePng(10 * 1024 * 1024);
const small = uniquePng('small');

/** Sends a request with a body, whatever is returned meanwhile; rejects when the connection breaks before a response. */
async function sendAll(agent: Agent, url: string, headers: Record<string, string>, body: Uint8Array, method = 'PUT') {
  const sending = request(url, { agent, method, headers: { 'content-length': body.length, ...headers } });
  // As a client without duplex does it: everything is sent before the response is looked at.
  sending.write(body.subarray(0, body.length / 2));
  sending.end(body.subarray(body.length / 2));
  const [response] = await once(sending, 'response');
  await text(response);
  return { status: response.statusCode, connection: response.headers.connection };
}

test.for([
  [401, 'POST', '/shipments', 'application/json'],
  [404, 'PUT', '/nothing', 'image/png'],
  [404, 'PUT', `/uploads/${'A'.repeat(71)}`, 'image/png'],
  [405, 'PUT', '/shipments', 'application/json'],
  [413, 'PUT', 'upload', 'image/png'],
  [415, 'PUT', 'upload', 'image/png', 'gzip'],
] as const)(
  'a client that sends 10 MiB first receives the %i to %s %s of %s %s and a response to its next request',
  async ([status, method, path, type, coding = 'identity'], { service: { baseUrl }, account }) => {
    notWithCluster('the proxy decides whether a connection stays open');
    const uploadUrl = await newUploadUrl(account, small);
    const url = path === 'upload' ? uploadUrl : baseUrl + path;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { 'content-type': type, 'content-encoding': coding };
    expect(await sendAll(agent, url, headers, largest, method)).toEqual({ status, connection: 'close' });
    expect(await sendAll(agent, uploadUrl, { 'content-type': 'image/png' }, small)).toMatchObject({ status: 204 });
    agent.destroy();
  },
);

test('a client that sends 10 MiB first receives the 429 and a response to its next request', async () => {
  await using service = await startService({ RATE_LIMIT: '1' });
  const { key } = await newAccount(service);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  for (const status of [413, 429, 429]) {
    expect(await sendAll(agent, `${service.baseUrl}/shipments`, headers, largest, 'POST')).toMatchObject({ status });
  }
  agent.destroy();
});

test('a content type is accepted in every case and with parameters', async ({ service, account }) => {
  for (const type of ['IMAGE/PNG', 'image/png ;x=1', 'Image/Png; charset="a;b"'])
    expect((await put(await newUploadUrl(account, small), small, type)).status, type).toBe(204);
  for (const type of ['APPLICATION/JSON', 'application/json ;charset=utf-8', 'application/json;charset="utf-8"; x=y']) {
    const request = { path: '/shipments', body: shipmentRequest(), headers: { 'content-type': type } };
    expect((await post(service, account, request)).status, type).toBe(201);
  }
});
