import { sendResponse } from '@waybill/http/responses';
import { boardFiles } from '@waybill/pages/board/files';
import type { FastifyInstance } from 'fastify';

/**
 * Adds the board at /board. Its files have no data: the page reads the shipments of an account through the API, with the key
 * from the fragment of its URL, which browsers do not send.
 * @param baseUrl the URL of the API
 * @param cdnUrl the URL of the pictures
 */
export function boardPage(app: FastifyInstance, baseUrl: string, cdnUrl: string): void {
  for (const [path, { headers, body }] of Object.entries(boardFiles(baseUrl, cdnUrl)))
    app.get(path, (_request, reply) => sendResponse(reply, { status: 200, headers, body }));
}
