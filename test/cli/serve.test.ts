import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Fetch } from '@waybill/client';
import { expect, vi } from 'vitest';
import { png } from '../fixtures/images.ts';
import type { Program } from '../fixtures/process.ts';
import { inTransit, newShipment, proofFor, shipmentRequest } from '../fixtures/shipments.ts';
import { test as base } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startWaybill } from './run.ts';

const settings = { HOST: '127.0.0.1', LOG_LEVEL: 'info', SIGNING_KEYS: 'k'.repeat(32) };

interface Server {
  program: Program;
  baseUrl: string;
}

const test = base.extend<{ server: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  server: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-files-'));
    await using program = startWaybill(['serve'], { ...settings, PORT: '0', STORAGE_URL: `file:${folder}` });
    const [, origin] = await program.waitForOutput(/listening at (http:[^"]+)"/);
    await use({ program, baseUrl: `${origin}/v1` });
    await rm(folder, { recursive: true });
  },
});

/** A raw HTTP/1.1 connection that only the server closes. */
function talk(baseUrl: string) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  const closed = once(socket, 'close');
  let output = '';
  socket.on('data', (text) => {
    output += text;
  });
  return {
    socket,
    send: (...lines: string[]) => void socket.write(`${lines.join('\r\n')}\r\nhost: waybill\r\n\r\n`),
    hears: (pattern: RegExp) => vi.waitFor(() => expect(output).toMatch(pattern), waitTimeout),
    /** Everything that the server has output, when it has hung up. */
    all: () => closed.then(() => output),
  };
}

/** Resolves when the server accepts no new connection. */
const stopping = ({ baseUrl }: Server) => vi.waitFor(() => expect(fetch(baseUrl)).rejects.toThrow(), waitTimeout);

test('`waybill serve` finishes its requests on SIGINT and closes idle connections', async ({ server, account }) => {
  const { program, baseUrl } = server;
  const body = JSON.stringify(shipmentRequest());
  const { send, hears, socket, all } = talk(baseUrl);
  const fields = ['content-type: application/json', `content-length: ${body.length}`, 'expect: 100-continue'];
  send('POST /v1/shipments HTTP/1.1', `authorization: Bearer ${account.key}`, ...fields);
  await hears(/^HTTP\/1.1 100 /);
  program.signal('SIGINT');
  await stopping(server);
  socket.write(body);
  expect(await all()).toMatch(/\nHTTP\/1.1 201 /);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  // The response's effect is stored.
  expect((await account.client.listShipments()).data.data).toHaveLength(1);
});

test.for([
  ['lets the connection go', []],
  ['responds to a request that follows on the connection', ['GET /v1/shipments HTTP/1.1']],
] as const)('`waybill serve` finishes a download, and then %s', async ([, further], { server, account }) => {
  const { program, baseUrl } = server;
  const port = new URL(baseUrl).port;
  // PORT is 0, so the service's URLs contain port 0.
  const reach: Fetch = (request) => fetch(new Request(request.url.replace(':0/', `:${port}/`), request));
  const client = createClient({ baseUrl, apiKey: account.key, fetch: reach });
  const { tracking_number } = await inTransit({ client });
  const body = await proofFor({ client }, tracking_number);
  // Larger than all buffers, so that the download is unfinished until the test reads it.
  const file = Uint8Array.from(Buffer.concat([png(), Buffer.alloc(9_000_000)]));
  const kind = 'signature';
  body.signature = await client.uploadProofFile({ tracking_number, kind, file, content_type: 'image/png' });
  const { data } = await client.submitProofOfDelivery({ path: { tracking_number }, body });

  const { send, socket, all } = talk(baseUrl);
  send(`GET ${new URL(data.signature_url).pathname} HTTP/1.1`);
  await once(socket, 'data');
  socket.pause(); // at the first bytes: most of the file is still to be sent
  program.signal('SIGTERM');
  await stopping(server);
  if (further.length > 0) send(...further);
  socket.resume();
  const output = await all();
  expect(output).toMatch(/^HTTP\/1.1 200 /);
  expect(output.length).toBeGreaterThan(file.length);
  const refusal = output.slice(file.length);
  if (further.length > 0) {
    expect(refusal).toMatch(/HTTP\/1.1 401 /);
    expect(refusal).toMatch(/\r\ncontent-type: application\/problem\+json/i);
    expect(refusal).toMatch(/\r\nconnection: close\r\n/i);
  } else expect(refusal).not.toContain('HTTP/1.1 401 ');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
});

test('`waybill serve` logs every response without keys and signed URLs', async ({ server, account }) => {
  const { program, baseUrl } = server;
  const client = createClient({ baseUrl, apiKey: account.key });
  const { tracking_number } = await newShipment({ client });
  const declaration = { kind: 'photo', content_type: 'image/png', size: 1, sha256: '0'.repeat(64) } as const;
  const { data } = await client.createProofUpload({ path: { tracking_number }, body: declaration });
  const token = data.upload_url.split('/').at(-1) ?? '';
  await fetch(`${baseUrl}/uploads/${token}`, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: 'x' });
  await fetch(`${baseUrl}/files/${token}?surprise=1`);
  await program.waitForOutput(/"route":"[^"]*files/);
  program.signal('SIGTERM');
  const { stdout } = await program.ended;
  expect(stdout).toContain('"method":"POST"');
  expect(stdout).not.toContain(token);
  expect(stdout).not.toContain(account.key.split('_')[2]);
});
