import { resolve } from 'node:path';
import helmet from '@fastify/helmet';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { addressOf } from '../rate-limit/address.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import { contractDocument } from './contract-document.ts';

/**
 * What people look at: the contract at /openapi.json and, when there is a folder for it, the docs at /docs. Requests are
 * counted for their IP address: one that reads pages all the time must not slow down the API.
 */
export async function pages(
  app: FastifyInstance,
  { contract, docsFolder, limit }: { contract: string; docsFolder: string; limit: RateLimit },
): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(await limit.count('address', addressOf(request)));
  });
  contractDocument(app, contract);
  if (docsFolder === '') return;
  await app.register(async (docs) => {
    await docs.register(helmet, {
      contentSecurityPolicy: {
        directives: {
          defaultSrc: ["'self'"],
          // The reference is one page with everything inside, scripts and styles too.
          scriptSrc: ["'self'", "'unsafe-inline'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          fontSrc: ["'self'", 'data:'],
          workerSrc: ["'self'", 'blob:'],
          upgradeInsecureRequests: null,
        },
      },
      strictTransportSecurity: false,
    });
    await docs.register(files, {
      root: resolve(docsFolder),
      prefix: '/docs',
      extensions: ['html'],
      preCompressed: true,
      redirect: true,
    });
    docs.get('/', (_request, reply) => reply.redirect('/docs/'));
  });
}
