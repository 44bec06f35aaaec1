import { defaultPageSize } from '@waybill/contract/limits';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { newUuid, timeOfUuid, uuidFromBytes, uuidFromPublicId, uuidToBytes } from '@waybill/http/identifiers';
import { makeCursor, pageOf, readCursor } from '@waybill/http/pagination';
import { fieldProblem, Problem } from '@waybill/http/problems';
import type { Handlers } from '../operations/handler-types.ts';
import type { SecretBox } from '../webhook-signing/secrets.ts';
import { deliveryFrom } from './delivery.ts';
import { copyDelivery, insertTestDelivery, selectDeliveries } from './delivery-queries.ts';
import { endpointFrom } from './endpoint.ts';
import {
  deleteEndpoint,
  getEndpointOrThrow,
  insertEndpoint,
  maxEndpoints,
  noEndpoint,
  replaceSecret,
  requestReplay,
  selectEndpoints,
  updateEndpointRow,
  wakeEndpoint,
} from './endpoint-queries.ts';

/** Milliseconds. */
const hour = 3_600_000;
/** Hours for which the previous secret signs, unless the request has others. */
const defaultPreviousHours = 24;

const idOf = ({ webhook_endpoint_id }: { webhook_endpoint_id: string }): string =>
  uuidFromPublicId('whe', webhook_endpoint_id);

interface Options {
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  secrets: SecretBox;
  /** Returns why events must not be sent to a URL, as a clause; undefined when they may. */
  urlError(url: string): Promise<string | undefined>;
}

/** The operations on webhook endpoints. */
export function webhookHandlers({
  basePath,
  secrets,
  urlError,
}: Options): Pick<
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
      async execute({ body }, context) {
        const { accountId, db } = context;
        const id = newUuid();
        const secret = secrets.create();
        const { url, description = '', types = [] } = body;
        const row = await insertEndpoint(db, accountId, {
          id,
          url,
          description,
          types,
          secret,
          updated_at: timeOfUuid(id),
        });
        if (!row) throw new Problem('webhook_limit_reached', `The account has ${maxEndpoints} webhook endpoints.`);
        const endpoint = endpointFrom(row);
        const headers = { location: `${basePath}/webhook_endpoints/${endpoint.id}` };
        return { status: 201, headers, body: { ...endpoint, secret } };
      },
    },

    async listWebhookEndpoints(_request, { accountId, db }) {
      return {
        status: 200,
        body: { data: (await selectEndpoints(db, accountId)).map(endpointFrom) },
      };
    },

    async getWebhookEndpoint({ path }, { accountId, db }) {
      return {
        status: 200,
        body: endpointFrom(await getEndpointOrThrow(db, accountId, idOf(path))),
      };
    },

    updateWebhookEndpoint: {
      async precheck({ path, body }, { accountId, db }) {
        if (body.url === undefined) return;
        await getEndpointOrThrow(db, accountId, idOf(path));
        await checkUrl(body.url);
      },
      async execute({ path, body }, context) {
        const { accountId, db, now } = context;
        const { status } = body;
        const row = await updateEndpointRow(db, accountId, idOf(path), {
          ...body,
          ...(status === 'enabled' && { disabled_reason: null, failing_since: null }),
          ...(status === 'disabled' && { disabled_reason: 'requested' }),
          updated_at: now,
        });
        return { status: 200, body: endpointFrom(row) };
      },
    },

    async deleteWebhookEndpoint({ path }, { accountId, db }) {
      await deleteEndpoint(db, accountId, idOf(path));
      return { status: 204, body: undefined };
    },

    async rotateWebhookSecret({ path, body }, context) {
      const { accountId, db, now } = context;
      const { previous_valid_hours = defaultPreviousHours } = body;
      const secret = secrets.create();
      const previousExpiresAt = new Date(now.getTime() + previous_valid_hours * hour);
      const row = await replaceSecret(db, accountId, idOf(path), secret, { now, previousExpiresAt });
      return { status: 200, body: { ...endpointFrom(row), secret } };
    },

    async listWebhookDeliveries({ path, query }, { accountId, db }) {
      const { limit = defaultPageSize, cursor } = query;
      const { id } = await getEndpointOrThrow(db, accountId, idOf(path));
      const before = cursor === undefined ? undefined : uuidFromBytes(readCursor(cursor, path, 16));
      const rows = await selectDeliveries(db, accountId, id, before, limit + 1);
      return { status: 200, body: pageOf(rows, limit, deliveryFrom, (row) => makeCursor(uuidToBytes(row.id), path)) };
    },

    async resendWebhookDelivery({ path }, { accountId, db, now }) {
      const endpointId = idOf(path);
      const id = uuidFromPublicId('whd', path.delivery_id);
      const copy = await copyDelivery(db, accountId, endpointId, id, { newId: newUuid(), now });
      if (!copy) throw new Problem('not_found', 'There is no such delivery.');
      await wakeEndpoint(db, accountId, endpointId);
      return { status: 202, body: deliveryFrom(copy) };
    },

    async replayWebhookEvents({ path, body }, { accountId, db }) {
      const range = await requestReplay(db, accountId, idOf(path), dateOf(body.from), dateOf(body.to));
      if (!range) throw noEndpoint();
      return { status: 202, body: { from: range.replay_from.toISOString(), to: range.replay_to.toISOString() } };
    },

    async sendTestWebhook({ path }, { accountId, db, now }) {
      const row = await getEndpointOrThrow(db, accountId, idOf(path));
      const data = { webhook_endpoint: endpointFrom(row) };
      const delivery = await insertTestDelivery(db, accountId, row.id, { id: newUuid(), data, now });
      await wakeEndpoint(db, accountId, row.id);
      return { status: 202, body: deliveryFrom(delivery) };
    },
  };
}
