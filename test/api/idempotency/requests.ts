import { type ContractOperation, type OperationId, operationOf, pathOf } from '../../fixtures/contract/contract.ts';
import { ready as prepare } from '../../fixtures/requests/valid-requests.ts';
import type { TestAccount } from '../../fixtures/test.ts';

/** A request that will succeed, for any POST of the contract. */
export async function ready(id: OperationId, account: TestAccount) {
  const { path, body = {} } = await prepare(id, account);
  return { path: pathOf(operationOf(id), path), body, key: 'k' };
}

/**
 * Another valid body for the same operation, so that the same Idempotency-Key returns 422; undefined when the operation
 * has no fields.
 */
export function otherBody(
  { id, bodySchema }: ContractOperation,
  body: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (Object.keys(body).length === 0) return undefined;
  const text = Object.entries(bodySchema?.properties ?? {}).find(([, { pattern }]) => pattern?.includes('\\p{'));
  if (text) return { ...body, [text[0]]: 'Something else' };
  if (body.previous_valid_hours) return { previous_valid_hours: 1 }; // rotateWebhookSecret
  if (body.from) return { ...body, to: '2999-01-01T00:00:00Z' }; // replayWebhookEvents
  if (Array.isArray(body.positions)) return { positions: [...body.positions, ...body.positions] };
  if (body.sha256) return { ...body, sha256: 'b'.repeat(64) };
  throw new Error(`Add another body for ${id} to test/api/idempotency/requests.ts`);
}
