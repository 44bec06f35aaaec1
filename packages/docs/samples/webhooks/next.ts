import { verifyWebhook, type WaybillEvent, WebhookVerificationError } from '@waybill/client/webhooks';

/** Makes the `POST` of a route handler, such as `app/waybill/route.ts`. `process` stores or queues the events. */
export const webhookHandler =
  (process: (event: WaybillEvent) => Promise<void>, secrets: string[]) =>
  async (request: Request): Promise<Response> => {
    try {
      await process(await verifyWebhook(await request.text(), request.headers, secrets));
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error; // 500: Waybill sends the event again
      return Response.json({ error: error.message }, { status: 400 });
    }
  };
