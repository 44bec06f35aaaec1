import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { signedLinks } from '@waybill/server/storage/signed-urls';
import { expect, vi } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { images, uniquePng } from '../fixtures/images.ts';
import { readyFile } from '../fixtures/requests.ts';
import { signingKey, startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { connectTo, putHead } from './connection.ts';
import { declare, incomingFiles, largePng, put, test } from './environment.ts';

const largest = largePng(10 * 1024 * 1024);

/** Sends a request with a body, whatever is returned meanwhile; rejects when the connection breaks before a response. */
async function sendAll(agent: Agent, url: string, headers: Record<string, string>, body: Uint8Array, method = 'PUT') {
  const sending = request(url, { agent, method, headers: { 'content-length': body.length, ...headers } });
  // As a client without duplex does it: everything is sent before the response is looked at.
  sending.write(body.subarray(0, body.length / 2));
  sending.end(body.subarray(body.length / 2));
  const [response] = await once(sending, 'response');
  return { status: response.statusCode, connection: response.headers.connection, body: await text(response) };
}

test.for([
  ['401', 'POST', '/shipments', { 'content-type': 'application/json' }],
  ['404', 'PUT', '/nothing', { 'content-type': 'image/png' }],
  ['404', 'PUT', `/uploads/${'A'.repeat(71)}`, { 'content-type': 'image/png' }],
  ['405', 'PUT', '/shipments', { 'content-type': 'application/json' }],
  ['413', 'PUT', 'upload', { 'content-type': 'image/png' }],
  ['415', 'PUT', 'upload', { 'content-type': 'text/plain' }],
] as const)(
  'a client that sends 10 MiB first receives the %s to %s %s and a response to its next request',
  async ([status, method, path, headers], { service, account }) => {
    const { tracking_number } = await newShipment(account);
    const { upload_url } = await declare(account, tracking_number, uniquePng('small'));
    const url = path === 'upload' ? upload_url : service.baseUrl + path;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await sendAll(agent, url, headers, largest, method);
    expect(first).toMatchObject({ status: Number(status), connection: 'close' });
    const next = await sendAll(agent, upload_url, { 'content-type': 'image/png' }, uniquePng('small'));
    expect(next.status).toBe(204);
    agent.destroy();
  },
);

test('a client that sends 10 MiB first receives the 429 and a response to its next request', async () => {
  await using service = await startService({ RATE_LIMIT: '1' });
  const account = await newAccount(service);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${account.key}` };
  const statuses: number[] = [];
  for (let round = 0; round < 3; round++) {
    statuses.push((await sendAll(agent, `${service.baseUrl}/shipments`, headers, largest, 'POST')).status);
  }
  expect(statuses).toEqual([413, 429, 429]);
  agent.destroy();
});

test('a client that sends 10 MiB first receives the 410', async ({ service, account }) => {
  const links = signedLinks([signingKey], service.baseUrl, service.baseUrl);
  const { url } = links.sign('upload', account.id, crypto.randomUUID(), new Date('2020-01-01'));
  const agent = new Agent({ keepAlive: true });
  expect(await sendAll(agent, url, { 'content-type': 'image/png' }, largest)).toMatchObject({ status: 410 });
  agent.destroy();
});

test.for([
  ['with a Content-Length', { 'content-length': 1e12 }],
  ['chunked', { 'transfer-encoding': 'chunked' }],
] as [string, Record<string, string | number>][])(
  'an endless PUT %s returns 413 and closes the connection',
  async ([, framing], { account, folder }) => {
    const { tracking_number } = await newShipment(account);
    const { upload_url } = await declare(account, tracking_number, uniquePng('small'));
    const { socket, received, closed } = await connectTo(upload_url);
    socket.write(putHead(upload_url, framing));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', pump);
    pump();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(received().match(/HTTP\/1\.1 /g)).toHaveLength(1);
    // What the service reads after its response, and what lies in the buffers of both ends.
    expect(sent).toBeLessThan(100 * 1024 * 1024);
    expect(await incomingFiles(folder)).toEqual([]);
  },
);

test.for([['IMAGE/PNG'], ['image/png ;x=1'], [' image/png'], ['Image/Png; charset="a;b"']])(
  'putProofFile accepts the Content-Type "%s" for image/png',
  async ([type], { account }) => {
    const { tracking_number } = await newShipment(account);
    const bytes = uniquePng(crypto.randomUUID());
    const { upload_url } = await declare(account, tracking_number, bytes);
    const { socket, received, responses } = await connectTo(upload_url);
    socket.write(putHead(upload_url, { 'content-type': type ?? '', 'content-length': bytes.length }));
    socket.write(bytes);
    await responses(1);
    expect(received()).toMatch(/^HTTP\/1\.1 204 /);
    socket.destroy();
  },
);

test.for([['application/json ;charset=utf-8'], ['APPLICATION/JSON'], ['application/json;charset="utf-8"; x=y']])(
  'createShipment accepts the Content-Type "%s"',
  async ([type], { service, account }) => {
    const response = await fetch(`${service.baseUrl}/shipments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': type },
      body: JSON.stringify(operationOf('createShipment').body),
    });
    expect(response.status).toBe(201);
  },
);

const changed = (bytes: Uint8Array, at: number, values: number[]): Uint8Array<ArrayBuffer> => {
  const copy = Uint8Array.from(bytes);
  copy.set(values, at);
  return copy;
};
const { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp } = images;
/** Where the frame header of the test's JPEG begins: FF C0, length, precision, height, width. */
const frame = Buffer.from(jpeg()).indexOf(Buffer.from([0xff, 0xc0]));

test.for([
  ['a PNG of no width', 'image/png', changed(png(), 16, [0, 0, 0, 0])],
  ['a PNG of no height', 'image/png', changed(png(), 20, [0, 0, 0, 0])],
  ['a PNG 16,385 pixels wide', 'image/png', changed(png(), 16, [0, 0, 0x40, 1])],
  ['a PNG 2,147,483,647 pixels high', 'image/png', changed(png(), 20, [0x7f, 0xff, 0xff, 0xff])],
  ['a PNG signature alone', 'image/png', png().slice(0, 12)],
  ['a PNG whose first chunk is another', 'image/png', changed(png(), 12, [0x49, 0x44, 0x41, 0x54])],
  ['a JPEG of no height', 'image/jpeg', changed(jpeg(), frame + 5, [0, 0])],
  ['a JPEG 65,535 pixels wide', 'image/jpeg', changed(jpeg(), frame + 7, [0xff, 0xff])],
  ['a JPEG without a frame header', 'image/jpeg', jpeg().slice(0, frame)],
  ['three bytes of a JPEG and a script', 'image/jpeg', Uint8Array.from(Buffer.from('\xff\xd8\xff<script>', 'latin1'))],
  ['a WebP container alone', 'image/webp', webp().slice(0, 16)],
  ['a WebP of no width', 'image/webp', changed(webp(), 26, [0, 0])],
] as const)('putProofFile returns 400 file_mismatch for %s', async ([, type, bytes], { service, account, folder }) => {
  const { path, file } = await readyFile(account, bytes, type);
  const response = await put(`${service.baseUrl}/uploads/${path.upload_token}`, file.bytes, type);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'file_mismatch', errors: [{ code: 'mismatch' }] });
  expect(await incomingFiles(folder)).toEqual([]);
});

test('an upload that takes longer than REQUEST_SECONDS returns 408, closes the connection and leaves no file', async ({
  folder,
}) => {
  await using service = await startService({ REQUEST_SECONDS: '1', STORAGE_URL: `file:${folder}` });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const { upload_url } = await declare(account, tracking_number, largePng(1_000_000));
  const { socket, received, closed } = await connectTo(upload_url);
  socket.write(putHead(upload_url, { 'content-length': 1_000_000 }));
  const drip = setInterval(() => socket.writable && socket.write('x'), 20);
  await closed;
  clearInterval(drip);
  expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  await vi.waitFor(async () => expect(await incomingFiles(folder)).toEqual([]), waitTimeout);
});
