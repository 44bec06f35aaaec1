import { boardFiles } from '@waybill/pages/board/files';
import { driverFiles } from '@waybill/pages/driver/files';
import { placeLookups } from '@waybill/pages/places/lookups';
import type { FastifyInstance } from 'fastify';
import type { Docs } from './docs.ts';
import { serveText } from './serve-text.ts';

/**
 * Adds the page of drivers at /d/ and the board at /board. Their files have no data: the pages read it through the API, with
 * the token or the key from the fragment of their URL, which browsers do not send.
 */
export function addBrowserPages(app: FastifyInstance, { baseUrl, cdnUrl }: Pick<Docs, 'baseUrl' | 'cdnUrl'>): void {
  const files = { ...driverFiles(baseUrl), ...boardFiles(baseUrl, cdnUrl) };
  for (const [path, { headers, body }] of Object.entries(files)) serveText(app, path, body, headers);
  app.get('/d', (_request, reply) => reply.redirect('/d/', 301));
  app.get('/board/', (_request, reply) => reply.redirect('/board', 301));
  for (const [path, lookUp] of Object.entries(placeLookups))
    app.get<{ Querystring: Record<string, unknown> }>(path, ({ query }, reply) =>
      reply.header('cache-control', 'public, max-age=86400').send(lookUp(query)),
    );
}
