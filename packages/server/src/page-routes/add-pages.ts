import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../connections/client-address.ts';
import type { Slots } from '../operations/admission.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import { addBrowserPages } from './browser-pages.ts';
import { addDocs, type Docs } from './docs.ts';
import { addTrackingPages, type TrackingPages } from './tracking-pages.ts';

interface Options extends Docs, TrackingPages {
  limit: RateLimit;
  requestSlots: Slots;
}

/** Adds the docs, the contract and all pages. */
export async function addPages(app: FastifyInstance, options: Options): Promise<void> {
  const { limit, requestSlots } = options;
  await app.register(async (pages) => {
    // Pages count towards the limit and the slots of the IP address: a client that loads them continuously must not slow
    // down the API.
    pages.addHook('onRequest', async (request, reply) => {
      const visitor = clientAddress(request);
      reply.headers(await limit.count('address', visitor));
      await requestSlots.waitForSlots(request, reply, visitor, 'file');
    });
    await addDocs(pages, options);
    addBrowserPages(pages, options);
  });
  await app.register(addTrackingPages, options);
}
