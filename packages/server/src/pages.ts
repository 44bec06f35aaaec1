import { resolve } from 'node:path';
import helmet from '@fastify/helmet';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { document } from './contract/document.ts';

/** What people look at: the contract at /openapi.json and, when there is a folder for it, the docs at /docs. */
export async function pages(app: FastifyInstance, { BASE_URL, DOCS_DIR }: Config): Promise<void> {
  const served = JSON.stringify({ ...document, servers: [{ url: BASE_URL, description: 'This service.' }] });
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(served));
  if (DOCS_DIR === '') return;
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
    await docs.register(files, { root: resolve(DOCS_DIR), prefix: '/docs', extensions: ['html'], redirect: true });
    docs.get('/', (_request, reply) => reply.redirect('/docs/'));
  });
}
