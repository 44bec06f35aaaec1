import { expect, test } from 'vitest';
import { run, startProgram } from '../fixtures/process.ts';

const command = new URL('main.ts', import.meta.resolve('@waybill/mock'));

test('`waybill-mock --help` prints the usage', async () => {
  const { code, stdout, stderr } = await run(command, ['--help']);
  expect(stdout).toMatch(/^Usage: waybill-mock /);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test.for([
  [['--prot', '4010'], '--prot'],
  [['--port', 'http'], "not 'http'"],
  [['--port', '65536'], "not '65536'"],
] as const)('`waybill-mock` with %j prints the error and the usage', async ([args, wrong]) => {
  const { code, stdout, stderr } = await run(command, [...args]);
  const [first] = stderr.split('\n');
  expect(first).toContain(wrong);
  expect(stderr).toContain('\n\nUsage: waybill-mock ');
  expect(stderr).not.toMatch(/^ +at /m);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.for(['SIGTERM', 'SIGINT'] as const)('`waybill-mock` serves until %s and exits with 0', async (signal) => {
  await using mock = startProgram(command, ['--port', '0']);
  const [url] = await mock.waitForOutput(/http:\S+/);
  expect((await fetch(`${url}/shipments`, { headers: { authorization: 'Bearer wbk_mock' } })).status).toBe(200);
  mock.signal(signal);
  expect(await mock.ended).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(url)).rejects.toThrow();
});

test('`waybill-mock` on a used port prints one sentence', async () => {
  await using first = startProgram(command, ['--port', '0']);
  const [, port = ''] = await first.waitForOutput(/:(\d+)\/v1/);
  const { code, stdout, stderr } = await run(command, ['--port', port]);
  expect(stderr).toBe(`Port ${port} is in use. Choose another with --port.\n`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});
