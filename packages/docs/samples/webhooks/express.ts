import { verifyWebhook, type WaybillEvent, WebhookVerificationError } from '@waybill/client/webhooks';
import express, { type Express } from 'express';

/** A server that receives events at `/waybill`. `process` stores or queues them. */
export function webhookServer(process: (event: WaybillEvent) => Promise<void>, secrets: string[]): Express {
  const app = express();
  // The signature is of the bytes as they arrive: do not use express.json() for this path.
  app.post('/waybill', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
    try {
      await process(await verifyWebhook(request.body, request.headers, secrets));
      response.sendStatus(204);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error; // 500: Waybill sends the event again
      response.status(400).json({ error: error.message });
    }
  });
  return app;
}
