import { readFile } from 'node:fs/promises';
import { startReceiver } from '@waybill/tools/lab/network/receiver';
import { describe, expect, test } from 'vitest';
import { run, startProgram } from '../fixtures/programs/process.ts';

const command = new URL('main.ts', import.meta.resolve('@waybill/mock'));

describe.concurrent('waybill-mock', () => {
  test('prints the usage, the version, and one sentence when the port is used', async () => {
    await using server = await startReceiver(() => {});
    const { port } = new URL(server.url);
    const usage = expect.stringMatching(/^Usage: waybill-mock /);
    expect(await run(command, ['--help'])).toEqual({ code: 0, stdout: usage, stderr: '' });
    const { version } = JSON.parse(await readFile(new URL('../package.json', command), 'utf8'));
    expect(await run(command, ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const stderr = `Port ${port} is in use. Choose another with --port.\n`;
    expect(await run(command, ['--port', port])).toEqual({ code: 1, stdout: '', stderr });
  });

  test.for([
    [['--prot', '4010'], "Unknown option '--prot'."],
    [['--port', '65536'], "--port must be a number from 0 to 65535, not '65536'."],
    [['--delay', '800-200'], "--delay must be milliseconds, such as 300 or 200-800, not '800-200'."],
    [['--errors', '101%'], "--errors must be a percentage from 0% to 100%, not '101%'."],
  ] as const)('%j prints one line', async ([options, message]) => {
    const stderr = `${message} See waybill-mock --help.\n`;
    expect(await run(command, [...options])).toEqual({ code: 2, stdout: '', stderr });
  });

  test.for([
    ['SIGTERM', ['--delay', '1-2', '--errors', '0%', '--quiet'], /^$/],
    ['SIGINT', [], /^GET \/v1\/shipments 200 \d+ ms\n$/],
  ] as const)('serves until %s with %j and exits with 0', async ([signal, options, stderr]) => {
    await using mock = startProgram(command, ['--port', '0', ...options]);
    const [url] = await mock.waitForOutput(/http:\S+/);
    const response = await fetch(`${url}/shipments`, { headers: { authorization: 'Bearer wbk_mock' } });
    expect(await response.json()).toMatchObject({ data: [{ tracking_number: 'FRT-2026-000142' }] });
    mock.signal(signal);
    expect(await mock.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(stderr) });
    await expect(fetch(url)).rejects.toThrow();
  });
});
