import { operationTable } from '@waybill/contract/operations';
import { type OperationId, operationIds, operationOf, pathOf } from '../fixtures/contract.ts';
import { ready as prepare } from '../fixtures/requests.ts';
import type { TestAccount } from '../fixtures/test.ts';

type PostId = { [Id in OperationId]: (typeof operationTable)[Id]['method'] extends 'POST' ? Id : never }[OperationId];

interface Ready {
  path: string;
  body: Record<string, unknown>;
}

export const posts = operationIds.filter((id): id is PostId => operationTable[id].method === 'POST');

/** A request that will succeed, for any POST of the contract. */
export async function ready(id: PostId, account: TestAccount): Promise<Ready> {
  const { path, body = {} } = await prepare(id, account);
  return { path: pathOf(operationOf(id), path), body };
}

/** A field that only one kind of body has → the text of that body to change. */
const textOf: Record<string, string> = {
  origin: 'notes',
  status: 'description',
  reason: 'reason',
  signed_by: 'signed_by',
};

/** Another valid body. */
export function otherBody(body: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(body.positions)) return { positions: [...body.positions, ...body.positions] };
  if (body.sha256) return { ...body, sha256: 'b'.repeat(64) };
  const known = Object.keys(textOf).find((name) => name in body);
  const text = known && textOf[known];
  if (!text) throw new Error(`Add a field of this body to textOf: ${JSON.stringify(body)}`);
  return { ...body, [text]: 'Something else' };
}
