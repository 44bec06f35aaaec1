import { boardFiles } from '@waybill/pages/board/files';
import { driverFiles } from '@waybill/pages/driver/files';
import { zoneOf } from '@waybill/pages/places/places';
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
  app.get('/d/zone', ({ query }, reply) =>
    reply.header('cache-control', 'public, max-age=86400').send({ zone: zoneOfQuery(query) ?? null }),
  );
}

/** The time zone of an address in a query. The page of drivers asks for it, because it has no list of cities. */
function zoneOfQuery(query: unknown): string | undefined {
  const { city, state, country } = query as Record<string, unknown>;
  const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= 100;
  if (!isShort(city) || !isShort(state) || !isShort(country) || !/^[A-Z]{2}$/.test(country)) return undefined;
  return zoneOf({ city, state, country });
}
