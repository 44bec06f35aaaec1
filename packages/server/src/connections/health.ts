import type { FastifyInstance } from 'fastify';

/** Milliseconds for which the result of a readiness check is reused. */
const readinessTtl = 1_000;

interface HealthChecks {
  /** Returns the status `ok`, or the reason why the service cannot work. */
  checkReadiness: () => Promise<{ status: string }>;
  isClosing: () => boolean;
}

/** Serves /health/live and /health/ready for operators and load balancers. They are not part of the API's contract. */
export async function healthRoutes(app: FastifyInstance, { checkReadiness, isClosing }: HealthChecks): Promise<void> {
  const readiness = cacheResult(checkReadiness, readinessTtl);
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    const found = isClosing() ? { status: 'the service is stopping' } : await readiness();
    return reply.code(found.status === 'ok' ? 200 : 503).send(found);
  });
}

/** Shares one run of a function between all callers during the run and for `ttl` milliseconds after it, also a failed one. */
function cacheResult<Result>(run: () => Promise<Result>, ttl: number): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  let expiresAt = 0;
  return () => {
    if (latest && performance.now() < expiresAt) return latest;
    const result = run();
    const startTtl = (): void => {
      expiresAt = performance.now() + ttl;
    };
    latest = result;
    expiresAt = Number.POSITIVE_INFINITY;
    result.then(startTtl, startTtl);
    return result;
  };
}
