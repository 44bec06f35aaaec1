import { sendResponse } from '@waybill/http/responses';
import { driverFiles } from '@waybill/pages/driver/files';
import type { FastifyInstance } from 'fastify';

/**
 * Adds the page of drivers at /d/. Its files have no data: the page reads a shipment through the API, with the token of an
 * access from the fragment of its URL, which browsers do not send.
 * @param baseUrl the URL of the API
 */
export function driverPage(app: FastifyInstance, baseUrl: string): void {
  for (const [path, { headers, body }] of Object.entries(driverFiles(baseUrl)))
    app.get(path, (_request, reply) => sendResponse(reply, { status: 200, headers, body }));
  app.get('/d', (_request, reply) => reply.redirect('/d/', 301));
}
