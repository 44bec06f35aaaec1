import { resolve } from 'node:path';
import helmet from '@fastify/helmet';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { serveContract } from './contract-document.ts';

interface Pages {
  /** The OpenAPI document as JSON. */
  contract: string;
  /** Empty when there are no docs. */
  docsFolder: string;
}

/** Serves the contract at /openapi.json and, when there is a folder for it, the docs site at /docs. */
export async function staticPages(app: FastifyInstance, { contract, docsFolder }: Pages): Promise<void> {
  serveContract(app, contract);
  if (docsFolder === '') return;
  await app.register(async (docs) => {
    await docs.register(helmet, {
      contentSecurityPolicy: {
        directives: {
          defaultSrc: ["'self'"],
          // The API reference is one page with inline scripts and styles.
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
