import { createSender, type SenderOptions } from '@waybill/server/webhooks/send';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from './receiver.ts';

const sender = (options: Partial<SenderOptions> = {}) => {
  const made = createSender({ allowLoopback: true, userAgent: 'Waybill/1', resolve: async () => [], ...options });
  onTestFinished(() => made.close());
  return made;
};
const headers = { 'webhook-id': 'evt_1' };

test('an attempt sends JSON by POST and succeeds with any 2xx', async () => {
  for (const status of [200, 201, 204, 299]) {
    await using receiver = await startReceiver(status);
    const attempt = await sender().send(receiver.url, headers, '{"a":"é"}');
    expect(attempt).toMatchObject({ succeeded: true, status, error: undefined });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        url: '/hook',
        body: '{"a":"é"}',
        headers: {
          'content-type': 'application/json',
          'content-length': '10',
          'user-agent': 'Waybill/1',
          'webhook-id': 'evt_1',
        },
      },
    ]);
  }
});

test('an attempt fails with every other status, and its response body is stored', async () => {
  for (const status of [400, 410, 429, 500, 503]) {
    await using receiver = await startReceiver((response) => response.writeHead(status).end('no\0t\ud83d now'));
    expect(await sender().send(receiver.url, headers, '{}')).toMatchObject({ succeeded: false, status });
    expect((await sender().send(receiver.url, headers, '{}')).responseBody).toMatch(/^not/);
  }
});

test('an attempt follows no redirect', async () => {
  await using target = await startReceiver();
  for (const status of [301, 302, 303, 307, 308]) {
    await using receiver = await startReceiver((response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(await sender().send(receiver.url, headers, '{}')).toMatchObject({ succeeded: false, status });
  }
  expect(target.received).toEqual([]);
});

test('an attempt reads the beginning of an endless response and closes the connection', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using receiver = await startReceiver((response) => {
    response.writeHead(200).once('close', resolve);
    const write = (): void => {
      if (!response.destroyed) response.write('x'.repeat(10_000), write);
    };
    write();
  });
  const attempt = await sender().send(receiver.url, headers, '{}');
  expect(attempt).toMatchObject({ succeeded: true, status: 200, responseBody: 'x'.repeat(1000) });
  await closed;
});

test('an attempt fails without a connection', async () => {
  const receiver = await startReceiver();
  await receiver[Symbol.asyncDispose]();
  const attempt = await sender().send(receiver.url, headers, '{}');
  expect(attempt).toMatchObject({ succeeded: false, status: undefined, error: 'The connection was refused.' });
});

test('a name that has the address of this machine only when it is connected is refused', async () => {
  await using receiver = await startReceiver();
  const resolve = async () => ['127.0.0.1']; // after registration
  const attempt = await sender({ allowLoopback: false, resolve }).send(
    `https://hooks.example.com:${receiver.port}/`,
    headers,
    '{}',
  );
  expect(attempt).toMatchObject({ succeeded: false, status: undefined });
  expect(attempt.error).toBe('hooks.example.com has an IP address of a private network');
  expect(receiver.received).toEqual([]);
});

test('each connection resolves the name again', async () => {
  const answers = [['93.184.215.14'], ['169.254.169.254'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? [];
  const { send } = sender({ allowLoopback: false, resolve, timeout: 50 });
  // The first one connects to a public address, which this test does not reach.
  expect((await send('https://hooks.example.com/', headers, '{}')).error).not.toMatch(/private/);
  for (let time = 0; time < 2; time++) {
    expect((await send('https://hooks.example.com/', headers, '{}')).error).toMatch(/private/);
  }
});
