import { defaultPageSize, defaultPreviousHours, maxEndpoints } from '@waybill/contract/limits';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { fieldProblem, Problem } from '@waybill/http/problems';
import { newUuid, timeOfUuid, uuidFromBytes, uuidFromPublicId, uuidToBytes } from '../database/identifiers.ts';
import type { Services } from '../feature.ts';
import { makeCursor, pageOf, readCursor } from '../operations/pagination.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { canonicalUrl } from './attempts/url-check.ts';
import type { EndpointRef } from './endpoints/endpoint-list.ts';
import {
  deleteEndpoint,
  endpointFrom,
  endpointTag,
  getEndpointOrThrow,
  insertEndpoint,
  replaceSecret,
  requestReplay,
  requireMatchingTag,
  selectEndpoints,
  updateEndpoint,
} from './endpoints/endpoints.ts';
import { deliveryFrom, queueAgain, queueTestEvent, selectDeliveries } from './queue/delivery-operations.ts';

const refOf = (accountId: string, path: { webhook_endpoint_id: string }): EndpointRef => ({
  accountId,
  endpointId: uuidFromPublicId('whe', path.webhook_endpoint_id),
});

/** The operations on webhook endpoints. */
export function webhookHandlers({
  basePath,
  secrets,
  urlError,
}: Pick<Services, 'basePath' | 'secrets' | 'urlError'>): Pick<
  Handlers,
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'listWebhookDeliveries'
  | 'resendWebhookDelivery'
  | 'replayWebhookEvents'
  | 'sendTestWebhook'
> {
  const checkUrl = async (url: string): Promise<void> => {
    const detail = await urlError(url); // looks its host up
    if (detail) throw fieldProblem('invalid_request', [{ in: 'body', pointer: '/url', code: 'not_allowed', detail }]);
  };
  return {
    createWebhookEndpoint: {
      precheck: ({ body }) => checkUrl(body.url),
      async perform({ body }, context) {
        const { accountId, db } = context;
        const id = newUuid();
        const secret = secrets.create();
        const { url, description = '', types = [] } = body;
        const created = { id, url: canonicalUrl(url), description, types, secret, updated_at: timeOfUuid(id) };
        const row = await insertEndpoint(db, accountId, created);
        if (!row) throw new Problem('webhook_limit_reached', `The account has ${maxEndpoints} webhook endpoints.`);
        const endpoint = endpointFrom(row);
        const headers = { location: `${basePath}/webhook_endpoints/${endpoint.id}` };
        return { status: 201, headers, body: { ...endpoint, secret } };
      },
    },

    async listWebhookEndpoints(_request, { accountId, db }) {
      return { status: 200, body: { data: (await selectEndpoints(db, accountId)).map(endpointFrom) } };
    },

    async getWebhookEndpoint({ path }, { accountId, db }) {
      const row = await getEndpointOrThrow(db, refOf(accountId, path));
      return { status: 200, body: endpointFrom(row), etag: endpointTag(row) };
    },

    updateWebhookEndpoint: {
      async precheck({ path, body }, { accountId, db }) {
        if (body.url === undefined) return;
        await getEndpointOrThrow(db, refOf(accountId, path));
        await checkUrl(body.url);
      },
      async perform({ path, headers, body }, { accountId, db, now }) {
        await requireMatchingTag(db, refOf(accountId, path), headers['if-match']);
        // Null restores the default.
        const { url, description, types, ...others } = body;
        const changes = {
          ...others,
          ...(url !== undefined && { url: canonicalUrl(url) }),
          ...(description !== undefined && { description: description ?? '' }),
          ...(types !== undefined && { types: types ?? [] }),
        };
        const row = await updateEndpoint(db, refOf(accountId, path), changes, now);
        return { status: 200, body: endpointFrom(row), etag: endpointTag(row) };
      },
    },

    async deleteWebhookEndpoint({ path, headers }, { accountId, db }) {
      await requireMatchingTag(db, refOf(accountId, path), headers['if-match']);
      await deleteEndpoint(db, refOf(accountId, path));
      return { status: 204, body: undefined };
    },

    async rotateWebhookSecret({ path, body }, context) {
      const { accountId, db } = context;
      const { previous_valid_hours = defaultPreviousHours } = body;
      const secret = secrets.create();
      const row = await replaceSecret(db, refOf(accountId, path), secret, previous_valid_hours);
      return { status: 200, body: { ...endpointFrom(row), secret } };
    },

    async listWebhookDeliveries({ path, query }, { accountId, db }) {
      const { limit = defaultPageSize, cursor, ...others } = query;
      others satisfies Record<string, never>; // every parameter is read
      const endpoint = refOf(accountId, path);
      await getEndpointOrThrow(db, endpoint);
      const before = cursor === undefined ? undefined : uuidFromBytes(readCursor(cursor, path, 16));
      const rows = await selectDeliveries(db, endpoint, before, limit + 1);
      return { status: 200, body: pageOf(rows, limit, deliveryFrom, (row) => makeCursor(uuidToBytes(row.id), path)) };
    },

    async resendWebhookDelivery({ path }, { accountId, db }) {
      const original = uuidFromPublicId('whd', path.delivery_id);
      const copy = await queueAgain(db, refOf(accountId, path), original);
      return { status: 202, body: deliveryFrom(copy) };
    },

    async replayWebhookEvents({ path, body }, { accountId, db }) {
      const [from, to] = [dateOf(body.from), dateOf(body.to)];
      await requestReplay(db, refOf(accountId, path), from, to);
      return { status: 202, body: { from: from.toISOString(), to: to.toISOString() } };
    },

    async sendTestWebhook({ path }, { accountId, db }) {
      const delivery = await queueTestEvent(db, refOf(accountId, path));
      return { status: 202, body: deliveryFrom(delivery) };
    },
  };
}
