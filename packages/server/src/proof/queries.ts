import { maxListedUploads } from '@waybill/contract/limits';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { uuidFromPublicId } from '../database/identifiers.ts';
import { interval } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import type { ShipmentKey } from '../tracking/queries.ts';
import { type Files, requireUploads, unfinishedLife, uploadLife, uploadsOf } from './uploads.ts';

/** What all uploads have. Documents have more. */
export type Upload = Omit<Selectable<Tables['proof_uploads']>, 'document_type' | 'description'>;
export type Proof = Selectable<Tables['proofs']>;
/** Columns by name: a prepared `select *` fails once on each connection after a migration has added a column. */
const uploadColumns = [
  'account_id',
  'id',
  'shipment_id',
  'kind',
  'content_type',
  'size',
  'sha256',
  'created_at',
  'verified_at',
  'bound_at',
  'access_id',
  'ended_at',
] as const;
const proofColumns = [
  'p.account_id',
  'p.shipment_id',
  'p.status',
  'p.delivered_at',
  'p.signed_by',
  'p.signature',
  'p.photos',
  'p.lat',
  'p.lng',
  'p.remarks',
  'p.items',
] as const;
type NewUpload = Omit<Upload, 'account_id' | 'verified_at' | 'bound_at' | 'ended_at'>;

const hours = (milliseconds: number): RawBuilder<Date> => interval(`${milliseconds / 3_600_000} hours`);

/** When an upload can no longer get its bytes or be used. */
export const endOfUpload: RawBuilder<Date> = sql`least(ended_at, created_at +
  case when verified_at is null then ${hours(unfinishedLife)} else ${hours(uploadLife)} end)`;

/** Whether `endOfUpload` is later than a request. It is not compared: Citus permits no update to add an interval to a column. */
const hasNotEnded =
  (now: Date) =>
  (eb: ExpressionBuilder<Tables, 'proof_uploads'>): Expression<SqlBool> =>
    eb.and([
      eb('ended_at', 'is', null), // what ends while its bytes arrive ends after `now`, the start of their request
      eb('created_at', '>', new Date(now.getTime() - uploadLife)),
      eb.or([eb('verified_at', 'is not', null), eb('created_at', '>', new Date(now.getTime() - unfinishedLife))]),
    ]);

/** Whether an upload can still become part of a proof or an exception. */
const isUnbound =
  (now: Date) =>
  (eb: ExpressionBuilder<Tables, 'proof_uploads'>): Expression<SqlBool> =>
    eb.and([eb('bound_at', 'is', null), hasNotEnded(now)(eb)]);

interface Counted {
  count: number;
  /** When the first of them no longer counts. */
  firstEnd: Date;
}

/** Counts the uploads of a shipment by an access, or by keys: those that are unbound, and those of `unfinishedLife` with removed ones. */
export async function countUploads(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  accessId: string | null,
  now: Date,
): Promise<{ unbound: Counted; recent: Counted }> {
  const since = new Date(now.getTime() - unfinishedLife);
  const found = await db
    .selectFrom('proof_uploads')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere(isUnbound(now)).as('unbound'),
      eb.fn.min(endOfUpload).filterWhere(isUnbound(now)).as('first_end'),
      eb.fn.countAll<number>().filterWhere('created_at', '>', since).as('recent'),
      eb.fn.min('created_at').filterWhere('created_at', '>', since).as('first_recent'),
    ])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('access_id', 'is not distinct from', accessId)
    .where('bound_at', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - uploadLife))
    .executeTakeFirstOrThrow();
  const firstRecent = (found.first_recent ?? now).getTime();
  return {
    unbound: { count: found.unbound, firstEnd: found.first_end ?? now },
    recent: { count: found.recent, firstEnd: new Date(firstRecent + unfinishedLife) },
  };
}

const unboundColumns = ['id', 'kind', 'content_type', 'size', 'access_id', 'created_at', 'verified_at'] as const;
export type UnboundUpload = Pick<Upload, (typeof unboundColumns)[number]> & { ends_at: Date };

/** The uploads of a shipment that can still become part of a proof or an exception, oldest first. @param accessId null for those of all */
export const selectUnboundUploads = (
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  accessId: string | null,
  now: Date,
): Promise<UnboundUpload[]> =>
  db
    .selectFrom('proof_uploads')
    .select(unboundColumns)
    .select(endOfUpload.as('ends_at'))
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where(isUnbound(now))
    .$if(accessId !== null, (query) => query.where('access_id', '=', accessId))
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxListedUploads)
    .execute();

/**
 * Ends an upload before its time. Clean-up removes it.
 * @param accessId null for an upload of any access or key
 * @returns false when there is no such upload that can still become part of a proof or an exception
 */
export async function endUpload(
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  { upload_id, accessId }: { upload_id: string; accessId: string | null },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('proof_uploads')
    .set({ ended_at: now })
    .where('account_id', '=', shipment.accountId)
    .where('shipment_id', '=', shipment.id)
    .where('id', '=', uuidFromPublicId('upl', upload_id))
    .where(isUnbound(now))
    .$if(accessId !== null, (query) => query.where('access_id', '=', accessId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the uploads of an access whose bytes have not arrived. Clean-up removes them. */
export async function endUnfinishedUploads(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  accessId: string,
  now: Date,
): Promise<void> {
  const update = db
    .updateTable('proof_uploads')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('access_id', '=', accessId)
    .where('verified_at', 'is', null);
  await executeWithNextStatement(db, update);
}

export async function insertUpload(db: Kysely<Tables>, accountId: string, upload: NewUpload): Promise<void> {
  await executeWithNextStatement(db, db.insertInto('proof_uploads').values({ account_id: accountId, ...upload }));
}

/** Undefined when there is no such upload or the account is disabled. */
export function findUpload(
  db: Kysely<Tables>,
  accountId: string,
  id: string,
): Promise<(Upload & { ends_at: Date }) | undefined> {
  return db
    .selectFrom('proof_uploads')
    .select(uploadColumns)
    .select(endOfUpload.as('ends_at'))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where(isEnabled(accountId))
    .executeTakeFirst();
}

/**
 * Stores that the bytes have arrived and match the declaration.
 * @returns false when the upload has ended or the account is disabled
 */
export async function verifyUpload(db: Kysely<Tables>, accountId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('proof_uploads')
    .set((eb) => ({ verified_at: eb.fn.coalesce('verified_at', eb.val(now)) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('verified_at', 'is not', null), hasNotEnded(now)(eb)]))
    .where(isEnabled(accountId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A signed URL needs no key, so that only disabling the account ends it. */
const isEnabled =
  (accountId: string) =>
  (eb: ExpressionBuilder<Tables, 'proof_uploads'>): Expression<SqlBool> =>
    eb.exists(
      eb
        .selectFrom('accounts as a')
        .select('a.account_id')
        .where('a.account_id', '=', accountId)
        .where('a.disabled_at', 'is', null),
    );

/**
 * Binds the files of a proof or of an exception.
 * @returns the uuids of their uploads, without that of a signature
 * @throws {Problem} unknown_upload
 */
export async function bindUploadsOrThrow(
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  files: Files,
  now: Date,
): Promise<string[]> {
  const update = db.updateTable('proof_uploads').set({ bound_at: now }).returning(['id', 'kind']);
  const named = uploadsOf(files);
  if (named.length > 0) requireUploads(files, await update.where(isUsable(shipment, files, now)).execute());
  return named.flatMap(({ id, kind }) => (kind === 'photo' ? id : []));
}

/** Requires that `bindUploadsOrThrow` can bind the files of a proof or an exception. @throws {Problem} unknown_upload */
export async function requireUsableUploads(
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  files: Files,
  now: Date,
): Promise<void> {
  const select = db.selectFrom('proof_uploads').select(['id', 'kind']);
  requireUploads(files, await select.where(isUsable(shipment, files, now)).execute());
}

/** The uploads of files that are verified, of this shipment and not bound. */
export const isUsable =
  ({ accountId, id }: ShipmentKey, files: Files, now: Date) =>
  (eb: ExpressionBuilder<Tables, 'proof_uploads'>): Expression<SqlBool> =>
    eb.and([
      eb('account_id', '=', accountId),
      eb('shipment_id', '=', id),
      eb('id', '=', eb.fn.any(eb.val(uploadsOf(files).map((upload) => upload.id)))),
      eb('verified_at', 'is not', null),
      isUnbound(now)(eb),
    ]);

/** Stores how often a wrong handover code was sent for a locked shipment. */
export async function storeWrongHandoverCodes(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  count: number,
): Promise<void> {
  const update = db
    .updateTable('shipments')
    .set({ wrong_handover_codes: count })
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  await executeWithNextStatement(db, update);
}

/** An array is JSON, too. */
const withJson = <Row extends Pick<Proof, 'items'>>(proof: Row) => ({
  ...proof,
  items: proof.items && JSON.stringify(proof.items),
});

export async function insertProof(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  proof: Omit<Proof, 'account_id' | 'shipment_id'>,
): Promise<void> {
  const row = { account_id: accountId, shipment_id: id, ...withJson(proof) };
  await executeWithNextStatement(db, db.insertInto('proofs').values(row));
}

/** Whether a locked shipment has a proof. */
export async function hasProof(db: Kysely<Tables>, { accountId, id }: ShipmentKey): Promise<boolean> {
  const query = db.selectFrom('proofs').select('shipment_id');
  return (
    (await query.where('account_id', '=', accountId).where('shipment_id', '=', id).executeTakeFirst()) !== undefined
  );
}

/** Moves the proof of a voided end to those that no operation returns. */
export async function voidProof(db: Kysely<Tables>, { accountId, id }: ShipmentKey, now: Date): Promise<void> {
  const [proof] = await db
    .deleteFrom('proofs')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .returningAll()
    .execute();
  if (!proof) return;
  await executeWithNextStatement(db, db.insertInto('voided_proofs').values({ ...withJson(proof), voided_at: now }));
}

/** Undefined when the account has no such shipment, or the shipment has no proof. */
export function findProof(db: Kysely<Tables>, accountId: string, trackingNumber: string): Promise<Proof | undefined> {
  return db
    .selectFrom('shipments as s')
    .innerJoin('proofs as p', (join) =>
      join.onRef('p.account_id', '=', 's.account_id').onRef('p.shipment_id', '=', 's.id'),
    )
    .select(proofColumns)
    .where('s.account_id', '=', accountId)
    .where('s.tracking_number', '=', trackingNumber)
    .executeTakeFirst();
}

/**
 * Adds bytes to the total of an account, if it stays within `limit`. Concurrent reservations of the account wait until
 * the transaction ends.
 * @returns false when the account would have more than `limit` bytes
 */
export async function reserveBytes(
  db: Kysely<Tables>,
  accountId: string,
  bytes: number,
  limit: number,
): Promise<boolean> {
  if (bytes > limit) return false;
  const reserved = await db
    .insertInto('stored_bytes')
    .values({ account_id: accountId, bytes })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ bytes: eb('stored_bytes.bytes', '+', eb.ref('excluded.bytes')) }))
        .where((eb) => eb(eb('stored_bytes.bytes', '+', eb.ref('excluded.bytes')), '<=', limit)),
    )
    .returning('account_id')
    .executeTakeFirst();
  return reserved !== undefined;
}

/** Subtracts the bytes of a removed upload from the total of its account. */
export async function releaseBytes(db: Kysely<Tables>, accountId: string, bytes: number): Promise<void> {
  await db
    .updateTable('stored_bytes')
    .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
    .where('account_id', '=', accountId)
    .execute();
}
