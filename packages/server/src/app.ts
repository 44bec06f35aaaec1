import { allowOrigins } from '@waybill/http/cors';
import {
  contractVersion,
  documentText,
  methods,
  requestHeaders,
  responseHeaders,
  signedPaths,
} from '@waybill/http/operations';
import { handleProblems, refuseUnknownUrls } from '@waybill/http/problem-responses';
import { checkResponse } from '@waybill/http/response-check';
import { addCommonHeaders } from '@waybill/http/responses';
import { operationRoutes } from '@waybill/http/routes';
import { serverOptions } from '@waybill/http/server';
import { bodyStreamer } from '@waybill/http/streamed-body';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import { accessHandlers } from './access/handlers.ts';
import { authenticator, decorateWithCaller } from './auth/authenticate.ts';
import { limitReaders, watchKeys } from './auth/readers.ts';
import { accountActivity } from './concurrency/fair-queue.ts';
import { basePathOf } from './config/urls.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database/database.ts';
import { isTemporary } from './database/errors.ts';
import { readinessCheck } from './database/schema-level.ts';
import { eventFeed } from './event-feed/feed.ts';
import { eventNotifications } from './event-feed/notifications.ts';
import { eventHandlers } from './events/handlers.ts';
import { exceptionHandlers } from './exceptions/handlers.ts';
import type { Retention } from './feature.ts';
import { clientAddress, trustedProxies } from './http/client-address.ts';
import { drainOnClose, limitConnectionsPerAddress } from './http/connections.ts';
import { healthRoutes } from './http/health.ts';
import { observeRequests } from './http/request-observer.ts';
import { scheduleCleanUp } from './jobs/clean-up.ts';
import {
  admitOperation,
  decorateWithSlots,
  fileSlotsOf,
  requestSharesOf,
  requestSlotsOf,
  shedLoad,
} from './operations/admission.ts';
import { routeHandlers } from './operations/route-handlers.ts';
import { bodyRevealer, serializer } from './operations/serialize.ts';
import { signedLinks } from './operations/signed-urls.ts';
import { browserPages, staticPages } from './pages/static-pages.ts';
import { trackingPages } from './pages/tracking-pages.ts';
import { accountOfFile, fileHandlers } from './proof/file-handlers.ts';
import { proofHandlers } from './proof/handlers.ts';
import { rateLimit } from './rate-limit/limit.ts';
import { shipmentCreation } from './shipments/create.ts';
import { shipmentHandlers } from './shipments/handlers.ts';
import { openStorage } from './storage/open.ts';
import { serveMetrics } from './telemetry/metrics-server.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { trackingHandlers } from './tracking/handlers.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { attemptTimeout, createSender } from './webhooks/send.ts';
import { secretBox } from './webhooks/signing.ts';
import { socketLimits } from './webhooks/sockets.ts';
import { dnsResolver, urlCheck } from './webhooks/url-check.ts';
import { startWebhookWorkers } from './webhooks/workers.ts';

/**
 * Builds the service. It does not wait for the database, to which it connects, and starts the background work.
 * @param logTo receives the log, one line of JSON per call, instead of standard output
 */
export async function buildApp(config: Config, logTo?: { write(line: string): void }): Promise<FastifyInstance> {
  const app = fastify({
    ...serverOptions({ requestTimeout: config.REQUEST_SECONDS * 1000, maxConnections: config.MAX_CONNECTIONS }),
    childLoggerFactory: (logger) => logger, // one object less per request: log lines name the request themselves
    forceCloseConnections: 'idle',
    pluginTimeout: closeTimeoutOf(config), // it also limits hooks that close the app
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level: config.LOG_LEVEL, ...(logTo && { stream: logTo }) },
    return503OnClosing: false, // Fastify's response would not be a problem (RFC 9457)
    trustProxy: config.TRUST_PROXY.length > 0 && config.TRUST_PROXY,
  });
  const isTrusted = trustedProxies(config.TRUST_PROXY);
  limitConnectionsPerAddress(app.server, config.MAX_CONNECTIONS_PER_ADDRESS, isTrusted);
  try {
    await assemble(app, config);
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
  DRAIN_MS + SHUTDOWN_TIMEOUT_MS + attemptTimeout + 5_000;

/** Added to the limit of one statement or wait, it limits all of a request together. In milliseconds. */
const timeoutMargin = 500;

/** Assembles the app. README.md beside this file lists what a request passes, in its order. */
async function assemble(app: FastifyInstance, config: Config): Promise<void> {
  let closeMetrics = async (): Promise<void> => {};
  app.addHook('onClose', () => closeMetrics()); // these hooks run in reverse order: metrics are served until the end
  const services = await startServices(app, config);
  await addHooks(app, config, services);
  await addRoutes(app, config, services);
  const { metrics } = services;
  if (metrics && config.METRICS_PORT !== undefined) {
    const { url, close } = await serveMetrics({ host: config.HOST, port: config.METRICS_PORT, text: metrics.text });
    closeMetrics = close;
    app.log.info(`Metrics at ${url}`);
  }
}

type Services = Awaited<ReturnType<typeof startServices>>;

/** Starts what the operations work with. The hooks of `onClose` and `preClose` end it. */
async function startServices(app: FastifyInstance, config: Config) {
  const { requestObservers, databaseObserver, metrics } = await createTelemetry(app, config, {
    db: () => database,
    countReaders: () => readers.count(),
    webhookBacklog: () => workers.backlog(),
    feedLag: () => feed.lag(),
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
  scheduleCleanUp(app, database, storage, retentionOf(config), metrics?.endJob);
  const activity = accountActivity();
  const feed = eventFeed(database, activity);
  const notifications = eventNotifications(database, config.EVENT_LISTEN_URL, feed);
  app.addHook('onClose', async () => notifications.close());
  app.addHook('preClose', async () => feed.close()); // before draining: streams and requests that wait end
  const secrets = secretBox(config.SIGNING_KEYS);
  const resolve = dnsResolver();
  const { WEBHOOK_ALLOW_LOOPBACK: allowLoopback, WEBHOOK_PROXY: proxy } = config;
  const sender = createSender({ allowLoopback, resolve, userAgent: `Waybill/${contractVersion}`, proxy });
  app.addHook('onClose', async () => sender.close());
  const workers = startWebhookWorkers({
    activity,
    db: database,
    feed,
    sockets: socketLimits(),
    sender,
    secrets,
    log: app.log,
    notify: notifications.notify,
    countAttempt: metrics?.countAttempt,
  });
  app.addHook('onClose', workers.close);
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
  const { authenticateAndCount, forget } = authenticator(database, limit, config.DATABASE_TIMEOUT_MS, (message) =>
    app.log.warn(message),
  );
  const keyWatch = watchKeys(database, forget);
  app.addHook('onClose', async () => keyWatch.close());
  const readers = limitReaders(config.EVENT_STREAMS_PER_KEY, config.MAX_EVENT_STREAMS, keyWatch.watch);
  const urlError = urlCheck(proxy === undefined ? resolve : undefined, allowLoopback);
  const { notify } = notifications;
  return {
    activity,
    authenticateAndCount,
    database,
    feed,
    isClosing,
    limit,
    metrics,
    notify,
    readers,
    secrets,
    storage,
    requestObservers,
    urlError,
    responseCheck: config.CHECK_RESPONSES ? checkResponse : undefined,
  };
}

const retentionOf = ({ POSITION_DAYS, SHIPMENT_DAYS, EXPORT_DIR, WEBHOOK_DELIVERY_DAYS }: Config): Retention => ({
  positionDays: POSITION_DAYS,
  deliveryDays: WEBHOOK_DELIVERY_DAYS,
  shipments: SHIPMENT_DAYS === undefined ? undefined : { days: SHIPMENT_DAYS, exportFolder: EXPORT_DIR },
});

/** Adds the hooks of all routes. */
async function addHooks(app: FastifyInstance, config: Config, services: Services): Promise<void> {
  observeRequests(app, services.requestObservers);
  decorateWithCaller(app);
  decorateWithSlots(app);
  handleProblems(app, {
    isTemporary,
    check(request, response) {
      const { operation } = request.routeOptions.config;
      if (operation) services.responseCheck?.(operation, response);
    },
  });
  await allowOrigins(app, {
    origins: config.CORS_ORIGINS,
    openPaths: ['/openapi.json', '/docs', ...signedPaths.map((path) => basePathOf(config.BASE_URL) + path)],
    methods,
    requestHeaders,
    responseHeaders,
  });
  addCommonHeaders(app);
  refuseUnknownUrls(app);
}

/** Adds the routes: health, docs and pages, and the operations of the contract. */
async function addRoutes(app: FastifyInstance, config: Config, services: Services): Promise<void> {
  const { activity, authenticateAndCount, database, feed, isClosing, limit, notify, readers, secrets, storage } =
    services;
  const basePath = basePathOf(config.BASE_URL);
  await app.register(healthRoutes, { checkReadiness: readinessCheck(database), isClosing });
  const shares = requestSharesOf(activity);
  const requestSlots = requestSlotsOf(shares, config.DATABASE_TIMEOUT_MS);
  await app.register(async (pages) => {
    // Pages count towards the limit and the slots of the IP address: a client that loads them continuously must not slow
    // down the API.
    pages.addHook('onRequest', async (request, reply) => {
      const visitor = clientAddress(request);
      reply.headers(await limit.count('address', visitor));
      await requestSlots.waitForSlots(request, reply, visitor, 'file');
    });
    await staticPages(pages, { contract: documentText(config.BASE_URL, config.CDN_URL), docsFolder: config.DOCS_DIR });
    browserPages(pages, config.BASE_URL, config.CDN_URL);
  });
  const links = signedLinks(config.SIGNING_KEYS, config.BASE_URL, config.CDN_URL);
  const executionTimeout = config.DATABASE_TIMEOUT_MS + timeoutMargin;
  const handlers = {
    ...accessHandlers({ ...secrets, origin: new URL(config.BASE_URL).origin }),
    createShipment: shipmentCreation({ database, basePath, trackingPrefix: config.TRACKING_PREFIX }),
    ...shipmentHandlers(database),
    ...trackingHandlers({ database, positionDays: config.POSITION_DAYS }),
    ...exceptionHandlers({ positionDays: config.POSITION_DAYS }),
    ...proofHandlers({ storageBytes: config.STORAGE_BYTES_PER_ACCOUNT }),
    ...fileHandlers({ database, executionTimeout, links, storage }),
    ...eventHandlers({ feed, streamSeconds: config.EVENT_STREAM_SECONDS }),
    ...webhookHandlers({ basePath, secrets, urlError: services.urlError }),
  };
  const admission = {
    accountOfFile: accountOfFile(links),
    requestSlots,
    fileSlots: fileSlotsOf(shares, config.REQUEST_SECONDS * 1000),
    authenticateAndCount,
    limit,
  };
  const sendStreamed = bodyStreamer();
  const openReader = readers.open;
  const revealBody = bodyRevealer({ links, ...secrets });
  await app.register(trackingPages, {
    database,
    executionTimeout,
    feed,
    isTemporary,
    openReader,
    reads: handlers,
    revealBody,
    sendStreamed,
    requestSlots,
    authenticateAndCount,
    overloadDelay: config.OVERLOAD_DELAY_MS,
    tiles: config.MAP_TILES_URL ? { url: config.MAP_TILES_URL, credit: config.MAP_CREDIT } : undefined,
    streamSeconds: config.EVENT_STREAM_SECONDS,
  });
  await app.register(async (routes) => {
    await operationRoutes(routes, {
      basePath,
      admit: (id) => admitOperation(id, admission),
      handlerOf: routeHandlers(handlers, {
        database,
        executionTimeout,
        keyedTimeout: Math.max(config.DATABASE_TIMEOUT_MS, config.IDEMPOTENCY_WAIT_MS) + timeoutMargin,
        idempotencyWait: config.IDEMPOTENCY_WAIT_MS,
        notify,
        openReader,
        sendStreamed,
        serialize: serializer({ revealBody, checkResponse: services.responseCheck }),
      }),
    });
    // Registered last so that it does not measure schema compilation. Fastify also runs a hook that is added later for the
    // scopes below, before the hooks of a route.
    await shedLoad(routes, config.OVERLOAD_DELAY_MS);
  });
}
