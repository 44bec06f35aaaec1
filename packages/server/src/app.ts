import { allowOrigins } from '@waybill/http/cors';
import { methods, requestHeaders, responseHeaders, signedPaths } from '@waybill/http/operations';
import { handleProblems, refuseUnknownUrls, sendProblem } from '@waybill/http/problem-responses';
import { responseCheck } from '@waybill/http/response-check';
import { addCommonHeaders } from '@waybill/http/responses';
import { operationRoutes } from '@waybill/http/routes';
import { serverOptions } from '@waybill/http/server';
import { bodyStreamer } from '@waybill/http/streamed-body';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import { authenticator, decorateWithCaller } from './auth/authenticate.ts';
import { limitReaders, watchKeys } from './auth/readers.ts';
import { visibilityOf } from './auth/visibility.ts';
import { accountActivity } from './concurrency/fair-queue.ts';
import { basePathOf } from './config/urls.ts';
import type { Config } from './config.ts';
import { trustedProxies } from './connections/client-address.ts';
import { drainOnClose, limitConnectionsPerAddress } from './connections/connections.ts';
import { healthRoutes } from './connections/health.ts';
import { observeRequests } from './connections/request-observer.ts';
import { openDatabase } from './database/database.ts';
import { isTemporary } from './database/errors.ts';
import { readinessCheck } from './database/schema/schema-level.ts';
import { secretBox } from './database/secret-box.ts';
import { eventFeed } from './event-feed/feed.ts';
import { eventNotifications } from './event-feed/notifications.ts';
import { eventWaker } from './event-feed/waker.ts';
import type { Retention, Services } from './feature.ts';
import { handlersOf, shownBodies, shownEvents } from './features.ts';
import { scheduleCleanUp } from './jobs/clean-up.ts';
import { addMcp } from './mcp/routes.ts';
import {
  admitOperation,
  decorateWithSlots,
  fileSlotsOf,
  overloadOf,
  requestSharesOf,
  requestSlotsOf,
} from './operations/admission.ts';
import { routeHandlers } from './operations/route-handlers.ts';
import { bodyRevealer, serializer } from './operations/serialize.ts';
import { signedLinks } from './operations/signed-urls.ts';
import { addPages } from './page-routes/add-pages.ts';
import { accountOfFile } from './proof/file-handlers.ts';
import { rateLimit } from './rate-limit/limit.ts';
import { openStorage } from './storage/open.ts';
import { serveMetrics } from './telemetry/metrics-server.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { startWebhooks } from './webhooks/start.ts';
import { webhooksCloseTimeout } from './webhooks/workers/workers.ts';

/** Receives the log, one line of JSON per call. */
export interface LogDestination {
  write(line: string): void;
  /** How many lines were lost. */
  dropped?(): number;
}

/**
 * Builds the service. It does not wait for the database, to which it connects, and starts the background work.
 * @param logTo in place of standard output
 */
export async function buildApp(config: Config, logTo?: LogDestination): Promise<FastifyInstance> {
  const isTrusted = trustedProxies(config.TRUST_PROXY);
  const app = fastify({
    ...serverOptions({
      requestTimeout: config.REQUEST_SECONDS * 1000,
      keepAliveTimeout: config.KEEP_ALIVE_SECONDS * 1000,
      maxConnections: config.MAX_CONNECTIONS,
    }),
    frameworkErrors(error, request, reply) {
      // The router cannot decode a link that a `%` follows.
      const [, link, query = ''] = /^(\/t\/\w+)[^?]*(\?.*)?$/.exec(request.url) ?? [];
      return link ? reply.redirect(link + query) : sendProblem(error, request, reply);
    },
    childLoggerFactory: (logger) => logger, // one object less per request: log lines name the request themselves
    forceCloseConnections: 'idle',
    pluginTimeout: closeTimeoutOf(config), // it also limits hooks that close the app
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level: config.LOG_LEVEL, ...(logTo && { stream: logTo }) },
    return503OnClosing: false, // Fastify's response would not be a problem (RFC 9457)
    trustProxy: config.TRUST_PROXY.length > 0 && isTrusted,
  });
  limitConnectionsPerAddress(app.server, config.MAX_CONNECTIONS_PER_ADDRESS, isTrusted);
  try {
    await assemble(app, config, () => logTo?.dropped?.() ?? 0);
  } catch (error) {
    await app.close(); // its timers and connections would keep the process running
    throw error;
  }
  return app;
}

/**
 * Milliseconds that closing may take: draining, running requests, and then attempts to send webhooks and connections to the
 * database and Redis.
 */
export const closeTimeoutOf = ({ DRAIN_MS, SHUTDOWN_TIMEOUT_MS }: Config): number =>
  DRAIN_MS + SHUTDOWN_TIMEOUT_MS + webhooksCloseTimeout + 1_000;

/** Added to the limit of one statement or wait, it limits all of a request together. In milliseconds. */
const timeoutMargin = 500;

/** Assembles the app. README.md beside this file lists what a request passes, in its order. */
async function assemble(app: FastifyInstance, config: Config, droppedLines: () => number): Promise<void> {
  let closeMetrics = async (): Promise<void> => {};
  app.addHook('onClose', () => closeMetrics()); // these hooks run in reverse order: metrics are served until the end
  const started = await startServices(app, config, droppedLines);
  await addHooks(app, config, started);
  await addRoutes(app, config, started);
  const { metrics } = started;
  if (metrics && config.METRICS_PORT !== undefined) {
    const { url, close } = await serveMetrics({ host: config.HOST, port: config.METRICS_PORT, text: metrics.text });
    closeMetrics = close;
    app.log.info(`Metrics at ${url}`);
  }
}

type Started = Awaited<ReturnType<typeof startServices>>;

/** Starts what the operations work with. The hooks of `onClose` and `preClose` end it. */
async function startServices(app: FastifyInstance, config: Config, droppedLines: () => number) {
  const { requestObservers, databaseObserver, metrics } = await createTelemetry(app, config, {
    db: () => database,
    countReaders: () => readers.count(),
    webhookBacklog: () => backlog(),
    feedLag: () => waker.lag(),
    droppedLines,
  });
  const database = openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    prepared: config.DATABASE_PREPARED,
    timeout: config.DATABASE_TIMEOUT_MS,
    onError: (error) => app.log.warn({ error: error.message }, 'lost a database connection'),
    observer: databaseObserver,
  });
  app.addHook('onClose', () => database.destroy());
  const storage = await openStorage(config.STORAGE_URL, config.STORAGE_TIMEOUT_MS);
  scheduleCleanUp(app, { db: database, storage, retention: retentionOf(config) }, metrics?.endJob);
  const activity = accountActivity();
  const waker = eventWaker(database);
  app.addHook('onClose', async () => waker.close()); // after the webhooks
  const feed = eventFeed(database, activity, waker);
  const { notify, close: closeNotifications } = eventNotifications(database, config.EVENT_LISTEN_URL, waker);
  app.addHook('onClose', async () => closeNotifications());
  app.addHook('preClose', async () => feed.close()); // before draining: streams and requests that wait end
  const secrets = secretBox(config.SIGNING_KEYS);
  const { backlog, urlError } = startWebhooks(app, {
    allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
    proxy: config.WEBHOOK_PROXY,
    ...{ activity, notify, secrets, waker },
    db: database,
    countAttempt: metrics?.countAttempt,
  });
  const isClosing = drainOnClose(app, { drain: config.DRAIN_MS, timeout: config.SHUTDOWN_TIMEOUT_MS });
  const limit = await rateLimit(
    {
      quota: config.RATE_LIMIT,
      accessQuota: config.ACCESS_RATE_LIMIT,
      redisUrl: config.REDIS_URL,
      redisTimeout: config.REDIS_TIMEOUT_MS,
      ...(metrics && { onRefuse: metrics.refuse }),
    },
    app.log,
  );
  app.addHook('onClose', async () => limit.close());
  const warn = (message: string): void => app.log.warn(message);
  const { authenticateAndCount, forget } = authenticator(database, limit, config.DATABASE_TIMEOUT_MS, warn);
  const { watch, close: closeWatch } = watchKeys(database, forget);
  app.addHook('onClose', async () => closeWatch());
  const readers = limitReaders(config.EVENT_STREAMS_PER_KEY, config.MAX_EVENT_STREAMS, watch);
  const services: Services = {
    ...{ database, storage, feed, secrets, urlError },
    links: signedLinks(config.SIGNING_KEYS, config.BASE_URL, config.CDN_URL),
    visibility: visibilityOf(shownBodies, shownEvents),
    origin: new URL(config.BASE_URL).origin,
    basePath: basePathOf(config.BASE_URL),
    executionTimeout: config.DATABASE_TIMEOUT_MS + timeoutMargin,
    positionDays: config.POSITION_DAYS,
    storageBytes: config.STORAGE_BYTES_PER_ACCOUNT,
    streamSeconds: config.EVENT_STREAM_SECONDS,
    trackingPrefix: config.TRACKING_PREFIX,
  };
  return { activity, authenticateAndCount, isClosing, limit, metrics, notify, readers, requestObservers, services };
}

const retentionOf = ({ POSITION_DAYS, SHIPMENT_DAYS, EXPORT_DIR, WEBHOOK_DELIVERY_DAYS }: Config): Retention => ({
  positionDays: POSITION_DAYS,
  deliveryDays: WEBHOOK_DELIVERY_DAYS,
  shipments: SHIPMENT_DAYS === undefined ? undefined : { days: SHIPMENT_DAYS, exportFolder: EXPORT_DIR },
});

const responseCheckOf = ({ CHECK_RESPONSES }: Config) => (CHECK_RESPONSES ? responseCheck() : undefined);

/** Adds the hooks of all routes. */
async function addHooks(app: FastifyInstance, config: Config, { requestObservers, services }: Started): Promise<void> {
  observeRequests(app, requestObservers);
  decorateWithCaller(app);
  decorateWithSlots(app);
  handleProblems(app, {
    isTemporary,
    check(request, response) {
      const { operation } = request.routeOptions.config;
      if (operation) responseCheckOf(config)?.(operation, response);
    },
  });
  await allowOrigins(app, {
    origins: config.CORS_ORIGINS,
    openPaths: ['/openapi.json', '/docs', ...signedPaths.map((path) => services.basePath + path)],
    methods,
    requestHeaders: [...requestHeaders, 'MCP-Protocol-Version'],
    responseHeaders,
  });
  addCommonHeaders(app);
  refuseUnknownUrls(app);
}

/** Adds the routes: health, docs and pages, and the operations of the contract. */
async function addRoutes(app: FastifyInstance, config: Config, started: Started): Promise<void> {
  const { activity, authenticateAndCount, isClosing, limit, notify, readers, services } = started;
  const { basePath, database, executionTimeout, links, secrets, visibility } = services;
  await app.register(healthRoutes, { checkReadiness: readinessCheck(database), isClosing });
  const overload = overloadOf(config.OVERLOAD_DELAY_MS);
  const shares = requestSharesOf(activity);
  const requestSlots = requestSlotsOf(shares, config.DATABASE_TIMEOUT_MS);
  const handlers = handlersOf(services);
  const sendStreamed = bodyStreamer();
  const openReader = readers.open;
  const revealBody = bodyRevealer({ links, ...secrets });
  await addPages(app, {
    ...services,
    ...{ authenticateAndCount, limit, openReader, overload, requestSlots, revealBody, sendStreamed },
    baseUrl: config.BASE_URL,
    cdnUrl: config.CDN_URL,
    docsFolder: config.DOCS_DIR,
    reads: handlers,
    tiles: config.MAP_TILES_URL ? { url: config.MAP_TILES_URL, credit: config.MAP_CREDIT } : undefined,
  });
  await app.register(addMcp, {
    ...{ authenticateAndCount, overload, requestSlots },
    baseUrl: config.BASE_URL,
    corsOrigins: config.CORS_ORIGINS,
  });
  const fileSlots = fileSlotsOf(shares, config.REQUEST_SECONDS * 1000);
  const admission = {
    accountOfFile: accountOfFile(links),
    ...{ authenticateAndCount, fileSlots, limit, overload, requestSlots, visibility },
  };
  await app.register(async (routes) => {
    await operationRoutes(routes, {
      basePath,
      docs: config.DOCS_DIR === '' ? undefined : '/docs',
      admit: (id) => admitOperation(id, admission),
      handlerOf: routeHandlers(handlers, {
        database,
        executionTimeout,
        keyedTimeout: Math.max(config.DATABASE_TIMEOUT_MS, config.IDEMPOTENCY_WAIT_MS) + timeoutMargin,
        idempotencyWait: config.IDEMPOTENCY_WAIT_MS,
        notify,
        openReader,
        sendStreamed,
        serialize: serializer({ revealBody, visibility, checkResponse: responseCheckOf(config) }),
      }),
    });
  });
  await overload.watch(app);
}
