import underPressure from '@fastify/under-pressure';
import { Problem } from '@waybill/http/problems';
import type { FastifyInstance } from 'fastify';

/**
 * Rejects requests to the routes of this scope with 503 while the event loop is delayed. Health checks are not in the
 * scope, because an overloaded service is alive.
 * @param maxEventLoopDelay in milliseconds
 */
export async function shedLoad(routes: FastifyInstance, maxEventLoopDelay: number): Promise<void> {
  await routes.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler: (_request, _reply, _type, delay) => {
      // The delay is infinite until it has been measured.
      if (Number.isFinite(delay)) throw new Problem('unavailable', 'The service is overloaded.');
    },
  });
}
