import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problems.ts';

/** Further behind than this many milliseconds, the service refuses instead of letting everyone wait. */
const maxEventLoopDelay = 2000;

/** Sheds load from the routes of this scope. Health checks stay outside: a busy service is alive. */
export async function shedLoad(routes: FastifyInstance): Promise<void> {
  await routes.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler: (_request, _reply, _type, delay) => {
      // Infinite means not measured: right after the start there is nothing to judge by.
      if (Number.isFinite(delay)) throw new Problem('unavailable', 'The service is overloaded.');
    },
  });
}
