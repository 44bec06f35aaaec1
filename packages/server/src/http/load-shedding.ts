import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problems.ts';

/**
 * Refuses requests to the routes of this scope while the event loop is late. Health checks are outside: a busy service is alive.
 * @param maxEventLoopDelay in milliseconds
 */
export async function shedLoad(routes: FastifyInstance, maxEventLoopDelay: number): Promise<void> {
  await routes.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler: (_request, _reply, _type, delay) => {
      // Infinite means not measured: right after the start there is nothing to judge by.
      if (Number.isFinite(delay)) throw new Problem('unavailable', 'The service is overloaded.');
    },
  });
}
