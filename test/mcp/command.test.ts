import { expect } from 'vitest';
import { run } from '../fixtures/programs/process.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { command, overStdio } from './agent.ts';

test('waybill-mcp prints its usage, and one line when it cannot start', async ({ service, account }) => {
  const usage = { code: 0, stdout: expect.stringMatching(/^Usage: waybill-mcp /), stderr: '' };
  expect(await run(command, ['--help'])).toEqual(usage);
  const WAYBILL_API_KEY = account.key.replace(/.{3}$/, 'xyz');
  for (const [code, message, env, ...args] of [
    [2, /^Unknown option '--wirte'\. See waybill-mcp --help\.\n$/, {}, '--wirte'],
    [2, /^--write knows raise_exception and resolve_exception, not 'x'\..*\n$/, {}, '--write', 'x'],
    [1, /^There is no API key\. .*WAYBILL_API_KEY.*\n$/, {}],
    [1, /^The API key is unknown or revoked\. Set WAYBILL_API_KEY .*\n$/, { WAYBILL_API_KEY }],
  ] as const) {
    const stderr = expect.stringMatching(message);
    expect(await run(command, args, { WAYBILL_URL: service.baseUrl, ...env })).toEqual({ code, stdout: '', stderr });
  }
});

test('--write names tools that write, and a repeated call has no second effect', async ({ service, account }) => {
  const scopes = ['shipments:read', 'tracking:read'] as const;
  await using reader = await overStdio(service, await account.keyWith([...scopes]), '--write', 'raise_exception');
  const { tools } = await reader.client.listTools();
  const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
  expect(writing).toEqual(['raise_exception']);
  const { tracking_number } = await newShipment(account);
  const report = { tracking_number, code: 'breakdown', occurred_at: new Date().toISOString() };
  expect(await reader.ask('raise_exception', report)).toMatchObject({ isError: true, code: 'insufficient_scope' });

  await using agent = await overStdio(service, account.key, '--write', 'raise_exception,resolve_exception');
  for (const _ of [1, 2])
    expect(await agent.ask('raise_exception', report)).toMatchObject({ isError: true, code: 'exception_not_accepted' });
  await account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  const { occurred_at, ...others } = report;
  const calls = [report, report, { occurred_at, ...others }];
  const [{ id: exception_id } = {}, ...equal] = await Promise.all(
    calls.map((call) => agent.ask('raise_exception', call)),
  );
  expect(equal).toMatchObject([{ id: exception_id }, { id: exception_id }]);
  const resolution = { tracking_number, exception_id, resolved_at: new Date().toISOString() };
  for (const _ of [1, 2])
    expect(await agent.ask('resolve_exception', resolution)).toMatchObject({ id: exception_id, isError: false });
  const { exceptions } = await account.client.getTracking({ tracking_number });
  expect(exceptions).toMatchObject([{ id: exception_id, code: 'breakdown', resolved_at: resolution.resolved_at }]);
});
