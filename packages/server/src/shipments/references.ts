import { isDeepStrictEqual } from 'node:util';
import { maxReferences } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { fieldProblem, Problem } from '@waybill/http/problems';
import { type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { rowInsertion } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { holderOfReference, isReferenceTaken, referenceTaken } from '../tracking/queries.ts';
import { type ShipmentRow, updateShipmentRow } from './queries.ts';

// `reference` is the shipper's own, which a unique index protects. Any number of shipments may have the same `references`.

/** The problem of a reference that another shipment has, by the index above. */
export async function problemOfReference(
  db: Kysely<Tables>,
  { account_id, reference }: Pick<ShipmentRow, 'account_id' | 'reference'>,
): Promise<Problem> {
  if (reference === null) throw new Error('The shipment has no reference');
  const holder = await holderOfReference(db, account_id, reference);
  // The other shipment has ended meanwhile.
  if (holder === undefined)
    return new Problem('unavailable', 'The reference has just become free. Send the request again.');
  return referenceTaken(reference, holder);
}

/**
 * Changes columns of a shipment, which may have another reference.
 * @throws {Problem} reference_taken
 */
export async function updateReferencedRow(
  trx: Transaction<Tables>,
  row: Pick<ShipmentRow, 'account_id' | 'id' | 'reference'>,
  columns: Updateable<Tables['shipments']> & { reference: string | null },
): Promise<ShipmentRow> {
  const { account_id, id } = row;
  const { reference } = columns;
  const isOther = reference !== null && reference !== row.reference;
  // The transaction can find the other shipment only after it has undone what the index refuses.
  if (isOther) await executeWithNextStatement(trx, sql`savepoint reference`);
  try {
    return await updateShipmentRow(trx, account_id, id, columns);
  } catch (error) {
    if (!isOther || !isReferenceTaken(error)) throw error;
    await sql`rollback to savepoint reference`.execute(trx);
    throw await problemOfReference(trx, { account_id, reference });
  }
}

type Reference = components['schemas']['ShipmentReference'];
type ReferenceRow = Selectable<Tables['shipment_references']>;

const insertRows = rowInsertion<ReferenceRow>('shipment_references', {
  account_id: 'uuid',
  shipment_id: 'uuid',
  value: 'text',
});

/** Inserts what lists select a shipment by, together with the next statement of the transaction. */
export async function insertReferences(
  trx: Transaction<Tables>,
  { account_id, id: shipment_id }: Pick<ShipmentRow, 'account_id' | 'id'>,
  references: Reference[] = [],
  isCitus?: boolean,
): Promise<void> {
  const values = [...new Set(references.map(({ value }) => value))]; // of two types, it may be the same
  const rows = values.map((value) => ({ account_id, shipment_id, value }));
  if (rows.length > 0) await executeWithNextStatement(trx, insertRows(rows, isCitus));
}

/** Replaces the references of a shipment, if they are others. */
export async function replaceReferences(
  trx: Transaction<Tables>,
  shipment: Pick<ShipmentRow, 'account_id' | 'id'>,
  before: Reference[] | undefined,
  references: Reference[] | undefined,
): Promise<void> {
  if (isDeepStrictEqual(before, references)) return;
  const { account_id, id } = shipment;
  const earlier = trx.deleteFrom('shipment_references').where('account_id', '=', account_id);
  await executeWithNextStatement(trx, earlier.where('shipment_id', '=', id));
  await insertReferences(trx, shipment, references);
}

/**
 * The references of a shipment with the carrier's number in place of earlier ones.
 * @returns null for none
 * @throws {Problem} invalid_request when there are too many
 */
export function withPro(references: Reference[] = [], pro: string | null): Reference[] | null {
  const others = references.filter(({ type }) => type !== 'pro');
  const first = references.findIndex(({ type }) => type === 'pro');
  const named = pro === null ? [] : [{ type: 'pro' as const, value: pro }];
  const all = others.toSpliced(first < 0 ? others.length : first, 0, ...named);
  if (all.length > maxReferences)
    throw fieldProblem('invalid_request', [
      {
        in: 'body',
        pointer: '/pro',
        code: 'too_long',
        detail: `cannot be added: the shipment has ${maxReferences} references`,
      },
    ]);
  return all.length > 0 ? all : null;
}
