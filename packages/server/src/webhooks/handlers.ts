import { defaultPageSize } from '@waybill/contract/limits';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { newUuid, timeOfUuid, uuidFromBytes, uuidFromPublicId, uuidToBytes } from '@waybill/http/identifiers';
import { makeCursor, pageOf, readCursor } from '@waybill/http/pagination';
import { fieldProblem, Problem } from '@waybill/http/problems';
import type { Handler, Precheck, WebhookServices } from '../operations/handler-types.ts';
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

export const createWebhookEndpoint: Handler<'createWebhookEndpoint'> = async ({ body }, context) => {
  const { accountId, basePath, db, webhooks } = context;
  const id = newUuid();
  const secret = webhooks.secrets.create();
  const { url, description = '', types = [] } = body;
  const row = await insertEndpoint(db, accountId, { id, url, description, types, secret, updated_at: timeOfUuid(id) });
  if (!row) throw new Problem('webhook_limit_reached', `The account has ${maxEndpoints} webhook endpoints.`);
  const endpoint = endpointFrom(row);
  const headers = { location: `${basePath}/webhook_endpoints/${endpoint.id}` };
  return { status: 201, headers, body: { ...endpoint, secret } };
};

/** Refuses a URL to which events must not be sent. Its host is looked up. */
export const checkNewUrl: Precheck<'createWebhookEndpoint'> = ({ body }, { webhooks }) => checkUrl(body.url, webhooks);
export const checkChangedUrl: Precheck<'updateWebhookEndpoint'> = async ({ path, body }, context) => {
  if (body.url === undefined) return;
  await getEndpointOrThrow(context.db, context.accountId, idOf(path));
  await checkUrl(body.url, context.webhooks);
};

/** @throws {Problem} invalid_request when events must not be sent to a URL */
async function checkUrl(url: string, { urlError }: WebhookServices): Promise<void> {
  const detail = await urlError(url);
  if (detail) throw fieldProblem('invalid_request', [{ in: 'body', pointer: '/url', code: 'not_allowed', detail }]);
}

export const listWebhookEndpoints: Handler<'listWebhookEndpoints'> = async (_request, { accountId, db }) => ({
  status: 200,
  body: { data: (await selectEndpoints(db, accountId)).map(endpointFrom) },
});

export const getWebhookEndpoint: Handler<'getWebhookEndpoint'> = async ({ path }, { accountId, db }) => ({
  status: 200,
  body: endpointFrom(await getEndpointOrThrow(db, accountId, idOf(path))),
});

export const updateWebhookEndpoint: Handler<'updateWebhookEndpoint'> = async ({ path, body }, context) => {
  const { accountId, db, now } = context;
  const { status } = body;
  const row = await updateEndpointRow(db, accountId, idOf(path), {
    ...body,
    ...(status === 'enabled' && { disabled_reason: null, failing_since: null }),
    ...(status === 'disabled' && { disabled_reason: 'requested' }),
    updated_at: now,
  });
  return { status: 200, body: endpointFrom(row) };
};

export const deleteWebhookEndpoint: Handler<'deleteWebhookEndpoint'> = async ({ path }, { accountId, db }) => {
  await deleteEndpoint(db, accountId, idOf(path));
  return { status: 204, body: undefined };
};

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ path, body }, context) => {
  const { accountId, db, now, webhooks } = context;
  const { previous_valid_hours = defaultPreviousHours } = body;
  const secret = webhooks.secrets.create();
  const previousExpiresAt = new Date(now.getTime() + previous_valid_hours * hour);
  const row = await replaceSecret(db, accountId, idOf(path), secret, { now, previousExpiresAt });
  return { status: 200, body: { ...endpointFrom(row), secret } };
};

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ path, query }, { accountId, db }) => {
  const { limit = defaultPageSize, cursor } = query;
  const { id } = await getEndpointOrThrow(db, accountId, idOf(path));
  const before = cursor === undefined ? undefined : uuidFromBytes(readCursor(cursor, path, 16));
  const rows = await selectDeliveries(db, accountId, id, before, limit + 1);
  return { status: 200, body: pageOf(rows, limit, deliveryFrom, (row) => makeCursor(uuidToBytes(row.id), path)) };
};

export const resendWebhookDelivery: Handler<'resendWebhookDelivery'> = async ({ path }, { accountId, db, now }) => {
  const endpointId = idOf(path);
  const id = uuidFromPublicId('whd', path.delivery_id);
  const copy = await copyDelivery(db, accountId, endpointId, id, { newId: newUuid(), now });
  if (!copy) throw new Problem('not_found', 'There is no such delivery.');
  await wakeEndpoint(db, accountId, endpointId);
  return { status: 202, body: deliveryFrom(copy) };
};

export const replayWebhookEvents: Handler<'replayWebhookEvents'> = async ({ path, body }, { accountId, db }) => {
  const range = await requestReplay(db, accountId, idOf(path), dateOf(body.from), dateOf(body.to));
  if (!range) throw noEndpoint();
  return { status: 202, body: { from: range.replay_from.toISOString(), to: range.replay_to.toISOString() } };
};

export const sendTestWebhook: Handler<'sendTestWebhook'> = async ({ path }, { accountId, db, now }) => {
  const row = await getEndpointOrThrow(db, accountId, idOf(path));
  const data = { webhook_endpoint: endpointFrom(row) };
  const delivery = await insertTestDelivery(db, accountId, row.id, { id: newUuid(), data, now });
  await wakeEndpoint(db, accountId, row.id);
  return { status: 202, body: deliveryFrom(delivery) };
};
