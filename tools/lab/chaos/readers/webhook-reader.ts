import { text } from 'node:stream/consumers';
import { createClient } from '@waybill/client';
import { verifyWebhook } from '@waybill/client/webhooks';
import { query } from '@waybill/sandbox/postgres/client';
import { startReceiver } from '../../network/receiver.ts';
import type { Party } from '../environment.ts';
import type { EventReader } from './event-readers.ts';

/**
 * Creates a webhook endpoint and receives its events. The receiver refuses some of them, until the end of the run, when
 * the pauses before their next attempts and the leases of killed instances are cut short.
 * @param refuses decides whether the next request gets 500
 */
export async function startWebhookReader(
  shipper: Party,
  databaseUrl: string,
  refuses: () => boolean,
): Promise<EventReader & AsyncDisposable> {
  let isEnding = false;
  let secret = '';
  const receiver = await startReceiver(async (request, response) => {
    const body = await text(request);
    if (!isEnding && refuses()) return void response.writeHead(500).end();
    try {
      reader.events.push(await verifyWebhook(body, request.headers, secret));
      response.writeHead(204).end();
    } catch (error) {
      reader.failure = error;
      response.writeHead(400).end();
    }
  });
  const reader: EventReader & AsyncDisposable = {
    name: 'webhooks',
    events: [],
    isOrderedByShipment: true,
    async hurry() {
      isEnding = true;
      // Every running instance reports once a second.
      await query(
        databaseUrl,
        `delete from webhook_leases where instance_id not in
           (select id from instances where seen_at > now() - interval '10 seconds')`,
      );
      const due = 'update webhook_deliveries set next_attempt_at = now() where next_attempt_at > now() returning id';
      const deliveries = await query(databaseUrl, due);
      if (deliveries.length > 0)
        await query(databaseUrl, 'update enabled_webhook_endpoints set version = gen_random_uuid()');
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  const { url } = receiver;
  secret = (await createClient(shipper).createWebhookEndpoint({ url }, { idempotencyKey: null })).secret;
  return reader;
}
