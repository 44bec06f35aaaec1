import { notFound } from '@waybill/http/problems';
import { newUuid, publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { unsignedUrl } from '../operations/serialize.ts';
import { bindUploadsOrThrow } from '../proof/queries.ts';
import { exceptionFrom, type StoredException } from '../tracking/exceptions.ts';
import { type LockedShipment, lockTrackedShipment, storeReport } from '../tracking/positions.ts';
import { getShipment } from '../tracking/queries.ts';
import { reportOfEvent, requirePossible } from '../tracking/reports.ts';
import { newException, requireAccepted, resolved } from './exception.ts';
import { countExceptionOrThrow, findException, insertException, updateResolved } from './queries.ts';

/** The operations on exceptions. Those of a shipment are executed one after the other: each locks it. */
export const exceptionHandlers = ({
  positionDays,
}: Pick<Services, 'positionDays'>): Pick<Handlers, 'raiseException' | 'getException' | 'resolveException'> => ({
  async raiseException({ path, body }, { accountId, addEvent, db, now }) {
    const shipment = await lockTrackedShipment(db, accountId, path.tracking_number);
    const { id: shipmentId, status } = shipment;
    requireAccepted(body.code, status);
    const report = reportOfEvent({ ...body, status, timestamp: body.occurred_at });
    requirePossible(body.location, { occurredAt: report.at, pointer: '/occurred_at', days: positionDays, now });
    await countExceptionOrThrow(db, accountId, shipmentId);
    const photos = await bindUploadsOrThrow(db, accountId, shipmentId, body, now);
    const exception = { id: newUuid(), photos, ...newException(body, status) };
    await insertException(db, { account_id: accountId, shipment_id: shipmentId, ...exception });
    const changes = await storeReport(db, shipment, report);
    addEvent(changeOf('tracking.exception_raised', shipment, exception));
    for (const change of changes) addEvent(change);
    return { status: 201, body: exceptionFrom(exception) };
  },

  async getException({ path }, { accountId, db }) {
    const { id: shipmentId } = await getShipment(db, accountId, path, ['id']);
    const exception = await findException(db, accountId, shipmentId, uuidFromPublicId('exc', path.exception_id));
    if (!exception) throw notFound('exception', path.exception_id);
    return { status: 200, body: { ...exceptionFrom(exception), photos: exception.photos.map(unsignedUrl) } };
  },

  async resolveException({ path, body }, { accountId, addEvent, db }) {
    const shipment = await lockTrackedShipment(db, accountId, path.tracking_number);
    const found = await findException(db, accountId, shipment.id, uuidFromPublicId('exc', path.exception_id));
    if (!found) throw notFound('exception', path.exception_id);
    const exception = resolved(found, body);
    await updateResolved(db, accountId, shipment.id, exception);
    addEvent(changeOf('tracking.exception_resolved', shipment, exception));
    return { status: 200, body: exceptionFrom(exception) };
  },
});

/** An event of an exception. */
const changeOf = (
  type: 'tracking.exception_raised' | 'tracking.exception_resolved',
  { id, trackingNumber: tracking_number, status }: LockedShipment,
  stored: StoredException,
) => {
  const exception = exceptionFrom(stored);
  const exception_change = { shipment_id: publicId('ship', id), tracking_number, status, exception };
  return { type, shipmentId: id, data: { exception_change } };
};
