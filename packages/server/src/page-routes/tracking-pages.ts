import { isProvable } from '@waybill/contract/statuses';
import type { OperationRequest } from '@waybill/http/operations';
import { Problem, problemFromError } from '@waybill/http/problems';
import { sendResponse } from '@waybill/http/responses';
import type { SendStreamed } from '@waybill/http/streamed-body';
import { type ClosedReason, closedPage } from '@waybill/pages/closed-page';
import type { PageDocument } from '@waybill/pages/frame/document';
import { linkIn } from '@waybill/pages/link/fragment';
import { atlas } from '@waybill/pages/map/atlas';
import type { Tiles } from '@waybill/pages/map/tiles';
import { languageOf } from '@waybill/pages/messages/accept-language';
import type { Language } from '@waybill/pages/messages/languages';
import { isZone } from '@waybill/pages/text/times';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticate, setCaller } from '../auth/authenticate.ts';
import type { Readers } from '../auth/readers.ts';
import type { Access, Visibility } from '../auth/visibility.ts';
import { orTooSlow } from '../concurrency/time-limit.ts';
import { separateTurns } from '../concurrency/turns.ts';
import { clientAddress } from '../connections/client-address.ts';
import type { Database } from '../database/database.ts';
import { isTemporary } from '../database/errors.ts';
import { publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import type { EventRow } from '../event-feed/queries.ts';
import { accessBytes } from '../events/event.ts';
import { filterFromNow } from '../events/page.ts';
import { eventStream } from '../events/stream.ts';
import { selectExceptionPhotos } from '../exceptions/queries.ts';
import { countWait, measure, type Overload, type Slots } from '../operations/admission.ts';
import { type ReadContext, type ReadId, type Reads, readContext } from '../operations/route-handlers.ts';
import type { RevealBody } from '../operations/serialize.ts';
import type { Links } from '../operations/signed-urls.ts';
import { selectNewestPositions } from '../tracking/positions.ts';
import { getShipment } from '../tracking/queries.ts';
import { showsPhotos } from '../tracking/stored-exceptions.ts';

export interface TrackingPages {
  authenticateAndCount: Authenticate;
  database: Database;
  /** How long a page waits for the database altogether, in milliseconds. */
  executionTimeout: number;
  feed: EventFeed;
  links: Links;
  /** Undefined for the map that the service draws. */
  tiles: Tiles | undefined;
  revealBody: RevealBody;
  openReader: Readers['open'];
  overload: Pick<Overload, 'refuse'>;
  reads: PageReads;
  requestSlots: Slots;
  visibility: Visibility;
  sendStreamed: SendStreamed;
  /** Seconds after which a live connection ends. */
  streamSeconds: number;
}

type PageRequest = FastifyRequest<{ Params: { token: string; '*'?: string }; Querystring: Record<string, unknown> }>;

/**
 * Adds the tracking page of a shipment at /t/{token}, where the token is that of an access. Requests are authenticated and
 * counted as those with the token as bearer. Nothing records the URL, and the page lets no browser send it elsewhere.
 */
export async function addTrackingPages(app: FastifyInstance, options: TrackingPages): Promise<void> {
  const { authenticateAndCount, requestSlots } = options;
  if (!options.tiles) atlas(); // before there are requests that would wait
  const turnToDraw = separateTurns();

  /** The access of a token, if it may see tracking; otherwise the reason for the page that is shown instead. */
  const accessOf = async (request: PageRequest, reply: FastifyReply): Promise<Access | ClosedReason> => {
    const visitor = clientAddress(request);
    const found = authenticateAndCount(`Bearer ${request.params.token}`, visitor);
    const { key, keyError, limitHeaders } = await countWait(request, found);
    reply.headers(limitHeaders);
    // Pages have slots apart from those of the operations of their account.
    await requestSlots.waitForSlots(request, reply, key ? `pages of ${key.accountId}` : visitor, 'page', key?.share);
    // A key of the account is no link.
    if (!key?.access) return keyError === 'expired_token' ? 'expired' : 'unknown';
    setCaller(request, key);
    return permits(options.visibility, key.access, 'getTracking') ? key.access : 'unknown';
  };

  const viewOf = (request: PageRequest, reply: FastifyReply, access: Access): Promise<TrackingView> =>
    readView({ ...options, access, context: readContext(request, reply, new Date(), options) });

  const pageOf = (view: TrackingView, request: PageRequest): PageDocument => {
    const now = new Date();
    const { zone } = request.query;
    const visitorZone = isZone(zone) ? zone : undefined;
    const { tiles } = options;
    return trackingPage(view, { language: languageFor(request), now, visitorZone, tiles });
  };

  app.setErrorHandler((error, request, reply) => {
    const { status, message, headers } = problemFromError(error, isTemporary);
    if (status >= 500) request.log[status === 503 ? 'warn' : 'error']({ reqId: request.id, err: error }, message);
    const reason = status === 404 ? 'unknown' : 'busy';
    return sendPage(reply, status, closedPage(reason, languageFor(request as PageRequest)), headers);
  });

  app.get('/t/:token', async (request: PageRequest, reply) => {
    if (linkIn(request.params.token) !== request.params.token) return sendToLink(request, reply);
    const access = await accessOf(request, reply);
    if (typeof access === 'string') return sendClosed(request, reply, access);
    const view = await orTooSlow(viewOf(request, reply, access), options.executionTimeout - request.waited);
    await turnToDraw();
    return measure(request, () => sendPage(reply, 200, pageOf(view, request)));
  });

  app.get('/t/:token/live', async (request: PageRequest, reply) => {
    const access = await accessOf(request, reply);
    if (typeof access === 'string') return sendClosed(request, reply, access);
    const context = readContext(request, reply, new Date(), options);
    const filter = await filterFromNow(context.db, context.accountId, {});
    const visibleText = accessBytes(access, options.visibility); // made once for all pages with the same access
    const shipmentId = uuidFromPublicId('ship', access.shipmentId);
    // The event of a cancellation needs `shipments:read`, because it has the whole shipment. The status shows it to all.
    const isShown = (row: EventRow): boolean => row.type === 'shipment.cancelled' || visibleText(row) !== undefined;
    const textOf = (row: EventRow) => (row.shipment_id === shipmentId && isShown(row) ? change : undefined);
    const stream = eventStream(context, filter, { ...options, textOf });
    context.releaseSlots();
    return sendResponse(reply, stream, options.sendStreamed);
  });

  app.get('/t/:token/*', async (request: PageRequest, reply) => sendToLink(request, reply));

  app.addHook('onRequest', async () => options.overload.refuse());
}

/** Redirects to the link that the path begins with, as mail programs make what follows a part of it. */
function sendToLink(request: PageRequest, reply: FastifyReply): FastifyReply {
  const { token, '*': rest = '' } = request.params;
  const link = linkIn(`${token}/${rest}`);
  if (link === '' || link.includes('/')) return sendClosed(request, reply, 'unknown');
  const [, query] = request.url.split('?', 2);
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  return reply.redirect(`/t/${link}${query ? `?${query}` : ''}`);
}

/** Says that the page differs now. It has no data: the page is read again. */
const change = Buffer.from('event: change\ndata:\n\n');

const languageFor = ({ query, headers }: PageRequest): Language => languageOf(query.lang, headers['accept-language']);

/** An expired link is gone; every other that shows nothing has never existed. */
const sendClosed = (request: PageRequest, reply: FastifyReply, reason: ClosedReason): FastifyReply =>
  sendPage(reply, reason === 'expired' ? 410 : 404, closedPage(reason, languageFor(request)));

const sendPage = (
  reply: FastifyReply,
  status: number,
  { html, headers }: PageDocument,
  more: Record<string, string> = {},
): FastifyReply =>
  measure(reply.request, () => sendResponse(reply, { status, headers: { ...headers, ...more }, body: html }));

type PageReads = Pick<Reads, 'getTracking' | 'getShipment' | 'getProofOfDelivery' | 'listDocuments'>;

interface Reading {
  links: Links;
  reads: PageReads;
  revealBody: RevealBody;
  visibility: Visibility;
  access: Access;
  /** For the shipment of the access. */
  context: ReadContext;
}

/** How many positions of a route are read: eight hours with a position every 30 seconds. */
const maxPositions = 1000;

/** Whether an access permits an operation. */
const permits = ({ accessProblem }: Visibility, access: Access, id: ReadId): boolean =>
  accessProblem(id, access.scopes, access) === undefined;

/**
 * Reads what the page of a shipment shows: the responses of the operations that the access permits, as it would get them, and
 * by statements of its own the route and the photos of all exceptions.
 * @param reading of an access that permits getTracking
 * @throws {Problem} not_found
 */
async function readView(reading: Reading): Promise<TrackingView> {
  const { access, context, visibility } = reading;
  const { trackingNumber: tracking_number, shipmentId: shipment_id } = access;
  const tracking = await read(reading, 'getTracking', { tracking_number });
  const isProven = isProvable(tracking.status) && permits(visibility, access, 'getProofOfDelivery');
  const [shipment, positions, proof, documents, exceptionPhotos] = await Promise.all([
    permits(visibility, access, 'getShipment') ? read(reading, 'getShipment', { shipment_id }) : undefined,
    permits(visibility, access, 'listPositions') ? readRoute(context, tracking_number) : [],
    isProven ? read(reading, 'getProofOfDelivery', { tracking_number }).catch(orNone) : undefined,
    permits(visibility, access, 'listDocuments') ? read(reading, 'listDocuments', { tracking_number }) : { data: [] },
    readPhotos(reading, tracking),
  ]);
  return { tracking, shipment, positions, proof, documents: documents.data, exceptionPhotos };
}

/** A shipment can end without a proof, which may follow. */
function orNone(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'proof_not_available')) throw error;
}

/** Executes an operation, and returns the body of its response as far as the access shows it. */
async function read<Id extends keyof PageReads>(
  { reads, revealBody, visibility, access, context }: Reading,
  id: Id,
  path: OperationRequest<Id>['path'],
): Promise<BodyOf[Id]> {
  const { accountId, now } = context;
  const run = reads[id] as (request: object, context: ReadContext) => Promise<{ body: unknown }>;
  const { body } = await run({ path, query: {}, headers: {} }, context);
  return revealBody(id, visibility.visibleBody(id, body, access), accountId, now) as BodyOf[Id];
}

interface BodyOf {
  getTracking: TrackingView['tracking'];
  getShipment: NonNullable<TrackingView['shipment']>;
  getProofOfDelivery: NonNullable<TrackingView['proof']>;
  listDocuments: { data: TrackingView['documents'] };
}

async function readRoute({ accountId, db }: ReadContext, tracking_number: string): Promise<TrackingView['positions']> {
  const route = await getShipment(db, accountId, { tracking_number }, ['id', 'route_since']);
  return selectNewestPositions(db, route, maxPositions);
}

/** The signed URLs of the photos of each exception that has some. */
async function readPhotos(
  { access, context: { accountId, db, now }, links }: Reading,
  { exceptions = [] }: TrackingView['tracking'],
): Promise<Record<string, string[]>> {
  if (!showsPhotos(access) || exceptions.every(({ photo_count }) => photo_count === 0)) return {};
  const rows = await selectExceptionPhotos(db, { accountId, id: uuidFromPublicId('ship', access.shipmentId) });
  const urlsOf = (uploads: string[]): string[] =>
    uploads.map((uploadId) => links.sign('file', accountId, uploadId, now).url);
  return Object.fromEntries(rows.map(({ id, photos }) => [publicId('exc', id), urlsOf(photos)]));
}
