import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { largePng, uniquePng } from '../../fixtures/images.ts';
import { newUploadUrl } from '../../fixtures/requests/valid-requests.ts';
import { notWithCluster } from '../../fixtures/service/not-with-cluster.ts';
import { test } from '../../fixtures/test.ts';

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
  [404, 'PUT', `/uploads/${'A'.repeat(71)}`, 'image/png'],
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
