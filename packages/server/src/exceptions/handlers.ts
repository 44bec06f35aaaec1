import { exceptionKinds } from '@waybill/contract/exceptions';
import { isFinal } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { fieldProblem, notFound, Problem } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import { newUuid, uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { isoTime } from '../database/times.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { unsignedUrl } from '../operations/serialize.ts';
import { bindUploadsOrThrow } from '../proof/queries.ts';
import { storeReport, untilEnd, withdrawReport } from '../tracking/positions.ts';
import { getShipment, lockShipment, type ShipmentKey, trackedColumns } from '../tracking/queries.ts';
import { reportOfEvent, requirePossible } from '../tracking/reports.ts';
import { exceptionChange, exceptionFrom, type StoredException } from '../tracking/stored-exceptions.ts';
import { findException, incrementOpenOrThrow, insertException, updateEnd } from './queries.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];

/** The operations on exceptions. Writes of a shipment are executed one after the other: each locks it. */
export const exceptionHandlers = ({
  positionDays,
}: Pick<Services, 'positionDays'>): Pick<
  Handlers,
  'raiseException' | 'getException' | 'resolveException' | 'voidException'
> => ({
  async raiseException({ path, body }, { accessId, accountId, addEvent, db, now }) {
    const shipment = await lockShipment(db, accountId, shipmentOf(path), trackedColumns);
    const { status } = shipment;
    requireAccepted(body.code, status);
    const report = reportOfEvent({ ...body, timestamp: body.occurred_at }, positionDays, now);
    requirePossible(body.location);
    await incrementOpenOrThrow(db, shipment);
    const photos = await bindUploadsOrThrow(db, shipment, body, now);
    const exception = { id: newUuid(), photos, access_id: accessId, ...newException(body, status) };
    await insertException(db, shipment, exception);
    const changes = await storeReport(db, shipment, await untilEnd(db, shipment, report), {
      source: exception.id,
    });
    addEvent(exceptionChange('tracking.exception_raised', shipment, exception));
    for (const change of changes) addEvent(change);
    return { status: 201, body: exceptionFrom(exception) };
  },

  async getException({ path }, { access, accountId, db }) {
    const shipment = await getShipment(db, accountId, shipmentOf(path), ['id']);
    const exception = await getStored(db, shipment, path, access !== undefined);
    return { status: 200, body: { ...exceptionFrom(exception), photos: exception.photos.map(unsignedUrl) } };
  },

  async resolveException({ path, body }, { accessId, accountId, addEvent, db }) {
    const shipment = await lockShipment(db, accountId, shipmentOf(path), trackedColumns);
    const found = await getStored(db, shipment, path, accessId !== null);
    const exception = resolved(found, body);
    await updateEnd(db, shipment, found, exception);
    addEvent(exceptionChange('tracking.exception_resolved', shipment, exception));
    return { status: 200, body: exceptionFrom(exception) };
  },

  async voidException({ path, body }, { accessId, accountId, addEvent, db, now }) {
    const shipment = await lockShipment(db, accountId, shipmentOf(path), trackedColumns);
    const found = await getStored(db, shipment, path, accessId !== null);
    requireVoidable(found, shipment.status, accessId);
    const exception = { ...found, voided_at: now, void_reason: body.reason };
    await updateEnd(db, shipment, found, exception);
    const came = { source: found.id, at: found.occurred_at, wasEnded: false };
    const changes = await withdrawReport(db, shipment, came);
    addEvent(exceptionChange('tracking.exception_voided', shipment, exception));
    for (const change of changes) addEvent(change);
    return { status: 200, body: exceptionFrom(exception) };
  },
});

const shipmentOf = ({ tracking_number }: { tracking_number: string }) => ({ tracking_number });

/** An exception of a shipment. A voided one does not exist for an access. @throws {Problem} not_found */
async function getStored(
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  { exception_id }: { exception_id: string },
  isForAccess: boolean,
): Promise<StoredException> {
  const exception = await findException(db, shipment, uuidFromPublicId('exc', exception_id));
  if (!exception || (isForAccess && exception.voided_at !== null)) throw notFound('exception', exception_id);
  return exception;
}

/** @throws {Problem} exception_void_not_allowed */
function requireVoidable(
  { access_id, shipment_status, voided_at }: StoredException,
  status: Status,
  accessId: string | null,
): void {
  const refuse = (detail: string): never => {
    throw new Problem('exception_void_not_allowed', detail, { current_status: status });
  };
  if (voided_at !== null) refuse('The exception was voided before.');
  if (accessId !== null && access_id !== accessId) refuse('An access voids only what it has raised itself.');
  if (isFinal(status) && !isFinal(shipment_status)) refuse(`The shipment is ${status}.`);
}

/** @throws {Problem} exception_not_accepted */
function requireAccepted(code: Schemas['ExceptionCode'], status: Status): void {
  if (exceptionKinds[code].statuses.includes(status)) return;
  const detail = `A shipment that is ${status} accepts no exception ${code}.`;
  throw new Problem('exception_not_accepted', detail, { current_status: status });
}

/** The columns of a new exception that its request has. */
const newException = (
  { code, occurred_at, description, eta, location }: Schemas['ExceptionRequest'],
  status: Status,
): Omit<StoredException, 'id' | 'photos' | 'access_id'> => ({
  code,
  shipment_status: status,
  occurred_at: dateOf(occurred_at),
  description: description ?? null,
  eta: eta ? dateOf(eta) : null,
  clears_eta: eta === null,
  lat: location?.lat ?? null,
  lng: location?.lng ?? null,
  address: location?.address ?? null,
  resolved_at: null,
  resolution: null,
  resolved_version: null,
  voided_at: null,
  void_reason: null,
});

/**
 * An exception after its end.
 * @throws {Problem} exception_resolved, or invalid_request for an end before the beginning
 */
function resolved(
  exception: StoredException,
  { resolved_at, resolution }: Schemas['ExceptionResolution'],
): StoredException {
  if (exception.resolved_at !== null) throw new Problem('exception_resolved', 'The exception was resolved before.');
  if (exception.voided_at !== null) throw new Problem('exception_resolved', 'The exception was voided before.');
  const end = dateOf(resolved_at);
  if (end >= exception.occurred_at) return { ...exception, resolved_at: end, resolution: resolution ?? null };
  const detail = `must not be before ${isoTime(exception.occurred_at)}`;
  throw fieldProblem('invalid_request', [{ in: 'body', pointer: '/resolved_at', code: 'out_of_order', detail }]);
}
