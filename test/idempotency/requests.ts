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

/** Another valid body. */
export function otherBody(body: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(body.positions)) return { positions: [...body.positions, ...body.positions] };
  const text = Object.keys(body).find((name) => ['reason', 'signed_by', 'sha256'].includes(name));
  if (text) return { ...body, [text]: text === 'sha256' ? 'b'.repeat(64) : 'Something else' };
  return { ...body, [body.status ? 'description' : 'notes']: 'Something else' };
}
