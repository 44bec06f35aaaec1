import { dayLength } from '@waybill/contract/duration';
import client from 'prom-client';
import type { EndedRequest } from '../connections/request-observer.ts';
import type { PoolStatus } from '../database/database.ts';
import type { JobRun } from '../jobs/clean-up.ts';
import type { Subject } from '../rate-limit/limit.ts';
import type { AttemptOutcome } from '../webhooks/attempts/send.ts';
import type { WebhookBacklog } from '../webhooks/workers/workers.ts';

/** The label `operation` of requests that are none of the contract, such as those for the docs. */
const noOperation = 'none';

/** Seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const jobBuckets = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300];
/** Items. */
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500];

export interface MetricSources {
  /** The documented statuses of each operation. Their counters start at zero, so that the first increase is seen. */
  operations: Record<string, { method: string; codes: string[] }>;
  /** What the clean-up removes. */
  removedKinds: readonly string[];
  /** Labels of `waybill_build_info`. */
  build: Record<string, string>;
  poolStatus(): PoolStatus;
  countConnections(): Promise<number>;
  countReaders(): number;
  /** Of this instance, by whether the receivers respond. */
  webhookBacklog(): Record<string, WebhookBacklog>;
  /** Milliseconds since new events were looked for last. */
  feedLag(): number;
  /** Lines of the log that were lost. */
  droppedLines(): number;
}

/** Records what happens. Labels never hold what a client sends. */
export interface Metrics {
  endRequest(ended: EndedRequest): void;
  endStatement(seconds: number): void;
  startBatch(name: string, items: number): void;
  refuse(subject: Subject): void;
  endJob(run: JobRun): void;
  countAttempt(attempt: AttemptOutcome): void;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Makes the metrics of one service. */
export function createMetrics(sources: MetricSources): Metrics {
  const { operations, removedKinds, build, poolStatus, countConnections, countReaders, webhookBacklog } = sources;
  const { droppedLines, feedLag } = sources;
  const registry = new client.Registry();
  const registers = [registry];
  const ofProcess = processMetrics();
  const requests = new client.Counter({
    name: 'waybill_http_requests_total',
    help: 'Requests that have ended, by operation and status. The status is 499 when the client disconnected first.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const requestSeconds = new client.Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['operation'],
    buckets: requestBuckets,
    registers,
  });
  const replays = new client.Counter({
    name: 'waybill_idempotent_replays_total',
    help: 'Responses that were stored for an Idempotency-Key and returned again.',
    labelNames: ['operation'],
    registers,
  });
  const refused = new client.Counter({
    name: 'waybill_rate_limited_total',
    help: 'Requests refused by the rate limit of an API key, an access token or an IP address.',
    labelNames: ['subject'],
    registers,
  });
  const webhookAttempts = new client.Counter({
    name: 'waybill_webhook_attempts_total',
    help: 'Requests to webhook endpoints that have ended, by result.',
    labelNames: ['result'],
    registers,
  });
  const webhookSeconds = new client.Histogram({
    name: 'waybill_webhook_attempt_duration_seconds',
    help: 'Time from the start of a request to a webhook endpoint to the end of its response.',
    buckets: requestBuckets,
    registers,
  });
  const statementSeconds = new client.Histogram({
    name: 'waybill_database_statement_duration_seconds',
    help: 'Time from sending a statement to the response of PostgreSQL.',
    buckets: statementBuckets,
    registers,
  });
  const batchItems = new client.Histogram({
    name: 'waybill_batch_items',
    help: 'Requests that one batch of reads or one group of writes served.',
    labelNames: ['batch'],
    buckets: batchBuckets,
    registers,
  });
  const jobRuns = new client.Counter({
    name: 'waybill_job_runs_total',
    help: 'Runs of a job that have ended.',
    labelNames: ['name', 'result'],
    registers,
  });
  const jobSeconds = new client.Histogram({
    name: 'waybill_job_duration_seconds',
    help: 'Duration of the runs of a job.',
    labelNames: ['name'],
    buckets: jobBuckets,
    registers,
  });
  const jobRemoved = new client.Counter({
    name: 'waybill_job_removed_total',
    help: 'What a job has removed.',
    labelNames: ['name', 'kind'],
    registers,
  });
  new client.Gauge({
    name: 'waybill_http_connections',
    help: 'Open connections of clients.',
    registers,
    async collect() {
      this.set(await countConnections());
    },
  });
  new client.Gauge({
    name: 'waybill_event_readers',
    help: 'Open event streams and requests that wait for events.',
    registers,
    collect() {
      this.set(countReaders());
    },
  });
  new client.Gauge({
    name: 'waybill_event_feed_lag_seconds',
    help: 'Time since the instance has looked for new events last. It does so each second.',
    registers,
    collect() {
      this.set(feedLag() / 1000);
    },
  });
  new client.Gauge({
    name: 'waybill_webhook_pending_deliveries',
    help: 'Deliveries that wait, of the endpoints of the instance, by whether the receiver responds.',
    labelNames: ['receiver'],
    registers,
    collect() {
      for (const [receiver, { pending }] of Object.entries(webhookBacklog())) this.set({ receiver }, pending);
    },
  });
  new client.Gauge({
    name: 'waybill_webhook_oldest_pending_seconds',
    help: 'Time since the oldest event that waits to be delivered; 0 when none waits.',
    labelNames: ['receiver'],
    registers,
    collect() {
      for (const [receiver, { oldestSeconds }] of Object.entries(webhookBacklog()))
        this.set({ receiver }, oldestSeconds);
    },
  });
  const partitionEnds = new Map<string, number>();
  new client.Gauge({
    name: 'waybill_partitions_ahead_days',
    help: 'Coming days that have a partition, since the first clean-up.',
    labelNames: ['table'],
    registers,
    collect() {
      const days = (end: number): number => Math.max(0, (end - Date.now()) / dayLength);
      for (const [table, end] of partitionEnds) this.set({ table }, days(end));
    },
  });
  const unpartitionedRows = new client.Gauge({
    name: 'waybill_default_partition_rows',
    help: 'Rows of days that have no partition, at most 1,000, since the first clean-up.',
    labelNames: ['table'],
    registers,
  });
  new client.Counter({
    name: 'waybill_log_lines_dropped_total',
    help: 'Lines of the log that were lost, because it could not be written or its reader was too slow.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
  new client.Gauge({
    name: 'waybill_database_connections',
    help: 'Connections of the database pool.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle } = poolStatus();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
    },
  });
  new client.Gauge({
    name: 'waybill_database_connections_max',
    help: 'Maximum size of the database pool (DATABASE_POOL_SIZE).',
    registers,
    collect() {
      this.set(poolStatus().max);
    },
  });
  new client.Gauge({
    name: 'waybill_database_waiting',
    help: 'Callers that wait for a connection of the database pool.',
    registers,
    collect() {
      this.set(poolStatus().waiting);
    },
  });
  new client.Gauge({
    name: 'waybill_build_info',
    help: 'Always 1. The labels have the versions.',
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1);

  for (const [operation, { method, codes }] of Object.entries(operations)) {
    for (const status of codes) requests.inc({ operation, status }, 0);
    requestSeconds.zero({ operation });
    if (method === 'POST') replays.inc({ operation }, 0);
  }
  requestSeconds.zero({ operation: noOperation });
  for (const result of ['success', 'failure']) webhookAttempts.inc({ result }, 0);
  for (const subject of ['key', 'access', 'address']) refused.inc({ subject }, 0);
  for (const result of ['success', 'failure']) jobRuns.inc({ name: 'clean_up', result }, 0);
  for (const kind of removedKinds) jobRemoved.inc({ name: 'clean_up', kind }, 0);
  jobSeconds.zero({ name: 'clean_up' });

  return {
    endRequest({ request, reply, status, milliseconds }) {
      const { operation = noOperation } = request.routeOptions.config;
      requests.inc({ operation, status });
      requestSeconds.observe({ operation }, milliseconds / 1000);
      if (request.method === 'POST' && reply.hasHeader('idempotent-replayed')) replays.inc({ operation });
    },
    endStatement: (seconds) => statementSeconds.observe(seconds),
    startBatch: (batch, items) => batchItems.observe({ batch }, items),
    refuse: (subject) => refused.inc({ subject }),
    countAttempt({ succeeded, milliseconds }) {
      webhookAttempts.inc({ result: succeeded ? 'success' : 'failure' });
      webhookSeconds.observe(milliseconds / 1000);
    },
    endJob({ name, seconds, removed, partitions }) {
      jobRuns.inc({ name, result: removed ? 'success' : 'failure' });
      jobSeconds.observe({ name }, seconds);
      for (const [kind, count] of Object.entries(removed ?? {})) jobRemoved.inc({ name, kind }, count);
      for (const [table, { end, unpartitioned }] of Object.entries(partitions)) {
        partitionEnds.set(table, end);
        unpartitionedRows.set({ table }, unpartitioned);
      }
    },
    text: async () => `${await registry.metrics()}\n${await ofProcess.metrics()}`,
  };
}

let registry: client.Registry | undefined;

/** The metrics of Node and of the process: CPU time, memory, event loop delay. All services of a process share them. */
function processMetrics(): client.Registry {
  if (!registry) {
    registry = new client.Registry();
    client.collectDefaultMetrics({ register: registry });
  }
  return registry;
}
