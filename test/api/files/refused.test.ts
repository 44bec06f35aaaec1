import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { signedLinks } from '@waybill/server/operations/signed-urls';
import { expect } from 'vitest';
import { largePng, uniquePng } from '../../fixtures/images.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { post } from '../../fixtures/post.ts';
import { open } from '../../fixtures/raw-http.ts';
import { newUploadUrl } from '../../fixtures/requests.ts';
import { signingKey, startService } from '../../fixtures/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { putHead } from './environment.ts';

const largest = largePng(10 * 1024 * 1024);

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
  [410, 'PUT', 'expired upload', 'image/png'],
  [413, 'PUT', 'upload', 'image/png'],
  [415, 'PUT', 'upload', 'text/plain'],
  [415, 'PUT', 'upload', 'image/png', 'gzip'],
] as const)(
  'a client that sends 10 MiB first receives the %i to %s %s of %s %s and a response to its next request',
  async ([status, method, path, type, coding = 'identity'], { service: { baseUrl }, account }) => {
    notWithCluster('the proxy decides whether a connection stays open');
    const uploadUrl = await newUploadUrl(account, uniquePng('small'));
    const links = signedLinks([signingKey], baseUrl, baseUrl);
    const expired = links.sign('upload', account.id, crypto.randomUUID(), new Date('2020-01-01')).url;
    const url = { upload: uploadUrl, 'expired upload': expired }[path as string] ?? baseUrl + path;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await sendAll(agent, url, { 'content-type': type, 'content-encoding': coding }, largest, method);
    expect(first).toEqual({ status, connection: 'close' });
    const next = await sendAll(agent, uploadUrl, { 'content-type': 'image/png' }, uniquePng('small'));
    expect(next.status).toBe(204);
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

test.for(['IMAGE/PNG', 'image/png ;x=1', ' image/png', 'Image/Png; charset="a;b"'])(
  'putProofFile accepts the type "%s"',
  async (type, { account }) => {
    const bytes = uniquePng(crypto.randomUUID());
    const url = await newUploadUrl(account, bytes);
    const { socket, received, responses } = await open({ origin: url });
    socket.write(putHead(url, { 'content-type': type, 'content-length': bytes.length }));
    socket.write(bytes);
    await responses(1);
    expect(received()).toMatch(/^HTTP\/1\.1 204 /);
    socket.destroy();
  },
);

test.for(['application/json ;charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="utf-8"; x=y'])(
  'createShipment accepts the type "%s"',
  async (type, { service, account }) => {
    const headers = { 'content-type': type };
    const body = shipmentRequest();
    expect(await post(service, account, { path: '/shipments', body, headers })).toMatchObject({ status: 201 });
  },
);
