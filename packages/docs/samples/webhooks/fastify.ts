import { verifyWebhook, type WaybillEvent, WebhookVerificationError } from '@waybill/client/webhooks';
import { type FastifyInstance, fastify } from 'fastify';

/** A server that receives events at `/waybill`. `process` stores or queues them. */
export function webhookServer(process: (event: WaybillEvent) => Promise<void>, secrets: string[]): FastifyInstance {
  const app = fastify();
  // The signature is of the bytes as they arrive: do not parse them before.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.post('/waybill', async ({ body, headers }, reply) => {
    try {
      await process(await verifyWebhook(body as Buffer, headers, secrets));
      return reply.code(204).send();
    } catch (error) {
      if (error instanceof WebhookVerificationError) return reply.code(400).send({ error: error.message });
      throw error; // 500: Waybill sends the event again
    }
  });
  return app;
}
