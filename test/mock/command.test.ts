import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { run, startProgram } from '../fixtures/process.ts';

const command = new URL('main.ts', import.meta.resolve('@waybill/mock'));

describe.concurrent('waybill-mock', () => {
  test('--help prints the usage', async () => {
    const { code, stdout, stderr } = await run(command, ['--help']);
    expect(stdout).toMatch(/^Usage: waybill-mock /);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.for([
    ['--prot', '4010', /^.*--prot/],
    ['--port', 'http', /^.*not 'http'/],
    ['--port', '65536', /^.*not '65536'/],
    ['--delay', '800-200', /^.*not '800-200'/],
    ['--errors', '101%', /^.*not '101%'/],
  ] as const)('%s %s prints the error and the usage', async ([option, value, wrong]) => {
    const { code, stdout, stderr } = await run(command, [option, value]);
    expect(stderr).toMatch(wrong);
    expect(stderr).toContain('\n\nUsage: waybill-mock ');
    expect(stderr).not.toMatch(/^ +at /m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test.for([
    ['SIGTERM', ['--stateful', '--delay', '1-2', '--errors', '0%', '--quiet'], /^$/],
    ['SIGINT', [], /^GET \/v1\/shipments 200 \d+ ms\n$/],
  ] as const)('serves until %s with %j and exits with 0', async ([signal, options, stderr]) => {
    await using mock = startProgram(command, ['--port', '0', ...options]);
    const [url] = await mock.waitForOutput(/http:\S+/);
    expect((await fetch(`${url}/shipments`, { headers: { authorization: 'Bearer wbk_mock' } })).status).toBe(200);
    mock.signal(signal);
    expect(await mock.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(stderr) });
    await expect(fetch(url)).rejects.toThrow();
  });

  test('a used port prints one sentence', async () => {
    await using server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await run(command, ['--port', String(port)]);
    expect(stderr).toBe(`Port ${port} is in use. Choose another with --port.\n`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});
