import { app, listen, pool } from './server.ts';
import { readTracking } from './tracking.ts';

app.get<{ Params: { number: string } }>('/v1/tracking/:number', async ({ params }, reply) => {
  return (await readTracking(pool, params.number)) ?? reply.code(404).send({ status: 404 });
});
await listen();
