import { sendResponse } from '@waybill/http/responses';
import { boardFiles } from '@waybill/pages/board/files';
import { driverFiles } from '@waybill/pages/driver/files';
import type { FastifyInstance } from 'fastify';

/**
 * Adds the page of drivers at /d/ and the board at /board. Their files have no data: the pages read it through the API, with
 * the token or the key from the fragment of their URL, which browsers do not send.
 * @param baseUrl the URL of the API
 * @param cdnUrl the URL of the pictures
 */
export function browserPages(app: FastifyInstance, baseUrl: string, cdnUrl: string): void {
  const files = { ...driverFiles(baseUrl), ...boardFiles(baseUrl, cdnUrl) };
  for (const [path, { headers, body }] of Object.entries(files))
    app.get(path, (_request, reply) => sendResponse(reply, { status: 200, headers, body }));
  app.get('/d', (_request, reply) => reply.redirect('/d/', 301));
}
