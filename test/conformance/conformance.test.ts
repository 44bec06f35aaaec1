import { createHmac } from 'node:crypto';
import results from '@waybill/docs/src/client-results.json' with { type: 'json' };
import { describe, expect } from 'vitest';
import { contractOperations } from '../fixtures/contract/contract.ts';
import { uniquePng } from '../fixtures/images.ts';
import { isLong } from '../fixtures/long-form.ts';
import { skippedBecause } from '../fixtures/programs/installed.ts';
import { ready } from '../fixtures/requests/valid-requests.ts';
import { test as base, perFile } from '../fixtures/test.ts';
import { clients } from './clients.ts';
import { type Request, startFaultyProxy } from './proxy.ts';
import type { Command, RunningClient } from './runner.ts';
import { type Scenario, type Step, scenarios, secret } from './scenarios.ts';
import { withoutNulls } from './without-nulls.ts';

/** Those that return JSON or nothing, in the long form. Files have scenarios. */
const operations = contractOperations.filter(({ id }) => isLong && !/ProofFile$|^stream/.test(id));

for (const [name, { start, unavailable, hasTypes }] of Object.entries(clients)) {
  const test = base.extend<{ $file: { client: RunningClient } }>({ client: perFile(start) });
  describe.skipIf(unavailable)(`the ${name} client${skippedBecause(unavailable)}`, () => {
    // As text, because a title shortens members of objects.
    test.for(scenarios.map((each) => [each.name, each] as const))(
      '%s',
      async ([, scenario], { service, account, client }) => {
        await using proxy = await startFaultyProxy(service.origin, scenario.faults ?? {});
        const { key = account.key, timeout, idle } = scenario;
        const limits = { ...(timeout && { timeout }), ...(idle && { idle }) };
        await client.ask({ do: 'connect', url: `${proxy.url}/v1`, key, ...limits });
        const known: Known = { file: Buffer.from(uniquePng(crypto.randomUUID())).toString('base64') };
        for (const step of scenario.steps) {
          known.now = new Date().toISOString();
          const { result, types, error } = await client.ask(resolved(commandOf(step), known) as Command);
          // `toMatchObject({})` would accept undefined.
          expect([error !== undefined, error ?? {}]).toMatchObject([step.fails !== undefined, step.fails ?? {}]);
          expect(error?.message ?? '').not.toContain(key.split('\n')[0]);
          if (typeof step.gives === 'number') expect(result).toHaveLength(step.gives);
          else if (step.gives) expect(result).toMatchObject(resolved(step.gives, known) as object);
          if (step.lacks) expect(withoutNulls(result)).not.toHaveProperty(step.lacks);
          if (hasTypes && step.types) expect(types).toEqual(step.types);
          if (step.as) known[step.as] = result;
        }
        checkRequests(scenario, proxy.requests);
      },
    );

    test.for(operations)(
      '$id returns what the service sent',
      async ({ id, path: template }, { service, account, client }) => {
        await using proxy = await startFaultyProxy(service.origin, {});
        await client.ask({ do: 'connect', url: `${proxy.url}/v1`, key: account.key });
        const { path: values, body } = await ready(id, account);
        const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const path = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
        const { result, error } = await client.ask({ do: 'call', operation: id, path, query: {}, body });
        expect(error).toBeUndefined();
        expect(withoutNulls(result)).toEqual(withoutNulls(proxy.requests[0]?.response));
      },
    );
  });
}

base.skipIf(isLong)('the docs show that every client passed every scenario', () => {
  const all = Object.keys(clients).toSorted();
  for (const { name } of scenarios)
    expect([name, (results as Record<string, string[]>)[name]?.toSorted()]).toEqual([name, all]);
});

type Known = Record<string, unknown>;

function commandOf(step: Step): object {
  if ('call' in step) {
    const { call: operation, path = {}, query = {}, body, idempotency_key } = step;
    return { do: 'call', operation, path, query, body, idempotency_key };
  }
  if ('list' in step) return { do: 'list', operation: step.list, query: step.query ?? {} };
  if ('follow' in step) return { do: 'follow', count: step.follow, after: step.after, types: step.types_only };
  if ('stream' in step) return { do: 'stream', count: step.stream, after: step.after };
  if ('download' in step) return { do: 'download', url: step.download };
  if ('verify' in step) return { do: 'verify', ...signed(step) };
  return { do: 'upload', tracking_number: step.upload, kind: step.kind, content_type: 'image/png', file: '$file' };
}

/** A webhook as https://www.standardwebhooks.com specifies it, by default signed with `secret` of the scenarios. */
function signed({
  verify,
  secrets,
  signed_by = secret,
  age = 0,
  changed,
  without,
}: Extract<Step, { verify: unknown }>) {
  const [id, timestamp] = ['evt_1', String(Math.floor(Date.now() / 1000) - age)];
  const body = JSON.stringify(verify);
  const key = Buffer.from(signed_by.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  const sent = Object.entries(headers).filter(([name]) => name !== without);
  return { body: changed ? `${body} ` : body, headers: Object.fromEntries(sent), secrets };
}

function checkRequests({ steps, requests = {}, pause = {} }: Scenario, seen: Request[]): void {
  const of = (operation: string) => seen.filter((request) => request.operation === operation);
  for (const [operation, count] of Object.entries(requests)) {
    expect([operation, of(operation).length]).toEqual([operation, count]);
    // All attempts of a call have one key.
    const keys = new Set(of(operation).flatMap(({ key }) => key ?? []));
    const calls = steps.filter((step) => 'call' in step && step.call === operation);
    if (keys.size > 0) expect([operation, keys.size]).toEqual([operation, calls.length]);
  }
  for (const [operation, least] of Object.entries(pause)) {
    const [first, second] = of(operation);
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(least - 1);
  }
}

/** A value whose strings `$name.member` are replaced by members of the results of earlier steps. */
function resolved(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, known));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, known)]));
  if (typeof value !== 'string' || !value.startsWith('$')) return value;
  return value
    .slice(1)
    .split('.')
    .reduce<unknown>((node, key) => (node as Known)[key], known);
}
