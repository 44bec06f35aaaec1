import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { streamLimits } from '@waybill/http/streamed-body';
import { closeTimeoutOf } from '@waybill/server/app';
import { type Config, readConfig, variables } from '@waybill/server/config';
import { sessionLimits } from '@waybill/server/database/database';
import { defaultLimits } from '@waybill/server/database/migrate';
import { eventDays } from '@waybill/server/event-feed/feed';
import { streamTimes } from '@waybill/server/events/stream';
import { uploadHours } from '@waybill/server/jobs/clean-up';
import { retentionHours } from '@waybill/server/operations/stored-responses';
import { attemptTimeout } from '@waybill/server/webhooks/send';
import { expect, test } from 'vitest';

/** A value of the code with the one that the guide states, or where else the fact comes from. */
type Fact = [actual: unknown, stated: unknown] | string;

const byDefault = (name: keyof Config): unknown => variables[name].default;
const ahead = contract.components.schemas.PositionReport.properties.updated_at['x-time'].max_ahead;
const sessions = sessionLimits(1_000);
/** Milliseconds that closing takes besides DRAIN_MS and SHUTDOWN_TIMEOUT_MS. */
const closing = closeTimeoutOf(readConfig({ DRAIN_MS: '0', SHUTDOWN_TIMEOUT_MS: '0' }, []));
const rules = readFileSync(new URL('../../deploy/monitoring/alerts.yml', import.meta.url), 'utf8');
/** Whether an alert rule has an expression. */
const rule = (name: string, expression: string): boolean =>
  rules.split('- alert: ').some((text) => text.startsWith(`${name}\n`) && text.includes(expression));

const storedResponses: Fact = [retentionHours, 24];
const storedEvents: Fact = [eventDays, 30];

/** Guide → every duration and count with a unit that it states. Sizes in MB and GB are measurements. */
const known: Record<string, Record<string, Fact>> = {
  citus: { 'a week': 'test/jobs/clean-up.test.ts' },
  events: {
    '5 minutes': [byDefault('EVENT_STREAM_SECONDS'), 5 * 60],
    '15 seconds': [streamTimes.heartbeat, 15_000],
    '45 seconds': [3 * streamTimes.heartbeat, 45_000],
    '30 seconds': [streamLimits.stall, 30_000],
    '5 seconds': 'test/events/key-end.test.ts',
    '20 streams': [byDefault('EVENT_STREAMS_PER_KEY'), 20],
    'two requests': 'no limit',
    '30 days': storedEvents,
  },
  faults: {
    '5 s': 'tools/chaos',
    '4 s': [byDefault('DATABASE_TIMEOUT_MS'), 4_000],
    '15 s': [closing, 15_000],
    '5 minutes': [ahead, 'PT5M'],
  },
  mock: { '800 ms': 'an example', '5 %': 'an example' },
  monitoring: {
    '5 seconds': [byDefault('OTEL_BSP_SCHEDULE_DELAY'), 5_000],
    '20 connections': 'test/telemetry/metrics-server.test.ts',
    '3 seconds': 'test/telemetry/traces.test.ts',
    '1 %': [rule('WaybillErrors', '> 0.01\n') && rule('WaybillSlow', 'histogram_quantile(0.99'), true],
    '250 ms': [rule('WaybillDatabaseSlow', '> 0.25\n'), true],
    '30 minutes': [rule('WaybillCleanUpFails', '[30m]') && rule('WaybillWebhooksFail', '[30m]'), true],
    'three times': [rule('WaybillRestarts', '> 3\n'), true],
    '15 minutes': [rule('WaybillRestarts', '[15m]'), true],
    '80 %': [rule('WaybillFileDescriptors', '> 0.8\n'), true],
  },
  polling: { '15 seconds': 'advice' },
  retries: { '24 hours': storedResponses, 'three times': 'test/client', '3 seconds': 'test/client' },
  security: {
    'five seconds': 'test/api-keys/keys.test.ts',
    'an hour': 'test/time-limits/time-limits.test.ts',
    '24 hours': storedResponses,
    '25 hours': 'an hour more',
  },
  'several-machines': {
    '500 ms': 'packages/docs/samples/cluster/haproxy.cfg',
    '2 seconds': [byDefault('DRAIN_MS'), 2_000],
    '4 seconds': [byDefault('DATABASE_TIMEOUT_MS'), 4_000],
    '75 %': [sessions.lock_timeout, 750],
    '87.5 %': [sessions.statement_timeout, 875],
    '125 %': [sessions.idle_in_transaction_session_timeout, 1_250],
  },
  sizing: {
    ...{ '64 connections': 'measured', '8 connections': 'measured' },
    ...{ '5 requests': 'an example', 'four times': 'an example', 'three times': 'an example', '90 days': 'an example' },
    '24 hours': storedResponses,
    '30 days': storedEvents,
  },
  storage: { '25 hours': [uploadHours, 25], '20 seconds': 'Amazon S3' },
  upgrades: {
    'a minute': [defaultLimits.wait, 60_000],
    '2 seconds': [defaultLimits.lockTimeout, 2_000],
    '30 times': [defaultLimits.attempts, 30],
  },
  webhooks: {
    'five minutes': 'test/client/webhooks.test.ts',
    '10 seconds': [attemptTimeout, 10_000],
    '16 requests': 'test/webhooks',
    '64 requests': 'test/webhooks/sockets.test.ts',
    '5 seconds': 'test/webhooks',
    'three days': 'test/webhooks',
    'a week': 'test/webhooks',
    '24 hours': 'test/webhooks',
  },
};

const number = '(?:\\d[\\d,.]*|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty)';
const unit = '(?:ms|s|seconds?|minutes?|hours?|days?|weeks?|[KMG]iB|times|connections|requests|streams|attempts|%)';
const fact = new RegExp(`(?<![\\w.=-])${number} ?${unit}(?!\\w)|\\b(?:an hour|a week|a minute)\\b`, 'gi');

const folder = fileURLToPath(new URL('guides/', import.meta.resolve('@waybill/docs/package.json')));
/** The prose of a guide: without code, and without values that are inserted. */
const proseOf = (guide: string): string =>
  readFileSync(`${folder}${guide}.md`, 'utf8')
    .replace(/```[\s\S]*?```|`[^`\n]*`|{{.*?}}/g, '')
    .replace(/\s+/g, ' ');
const guides = readdirSync(folder).map((file) => file.replace('.md', ''));

test.for(guides)('the guide %s states only known facts, and they are true', (guide) => {
  const facts = known[guide] ?? {};
  const stated = [...proseOf(guide).matchAll(fact)].map(([text]) => text.toLowerCase());
  expect(
    [...new Set(stated)].sort(),
    'The guide states a new number, or no longer states one. Use `{{ contract: … }}`, or change `known` in ' +
      'test/documented-facts/guides.test.ts.',
  ).toEqual(
    Object.keys(facts)
      .map((text) => text.toLowerCase())
      .sort(),
  );
  for (const [text, value] of Object.entries(facts)) {
    if (typeof value !== 'string') expect(value[0], text).toEqual(value[1]);
  }
});
