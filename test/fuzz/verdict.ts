import { positions, statuses, transitions } from '@waybill/contract/lifecycle';
import { fieldErrorCodes } from '@waybill/contract/problems';
import { expect } from 'vitest';
import type { ContractOperation, OperationId } from '../harness/contract.ts';
import type { Problem } from '../harness/http.ts';
import type { Status } from '../harness/journeys.ts';
import type { Answer, Sent } from './send.ts';
import type { Shipment, World } from './world.ts';

/** What the contract promises for a request: the status, and of a problem what it says. */
export interface Verdict {
  status: number;
  problem?: Partial<Problem>;
  /** Where and how the request is broken. */
  fault?: { in: 'query' | 'headers' | 'body'; pointer: string; code: string };
}

export const refusal = (status: number, code: Problem['code'], more: Partial<Problem> = {}): Verdict => ({
  status,
  problem: { code, ...more },
});

/** What must be said of one field at fault. */
export const faulty = (place: NonNullable<Verdict['fault']>['in'], pointer: string, code: string): Verdict => ({
  ...refusal(400, 'invalid_request'),
  fault: { in: place, pointer, code },
});
export const codeOf = (keyword: string): string => fieldErrorCodes[keyword] ?? `no code for ${keyword}`;

export const successOf = ({ responses }: ContractOperation): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')));

/** The steps that an operation does, by the contract's table. */
const stepsOf = (id: OperationId) => transitions.filter(({ operation, from }) => operation === id && from !== null);
/** The statuses that an operation can bring a shipment to from where it stands. */
export const nextBy = (id: OperationId, status: Status): Status[] =>
  stepsOf(id).flatMap(({ from, to }) => (from === status ? to : []));
/** The statuses from which an operation succeeds. */
export function allowing(id: OperationId): Status[] {
  const all = Object.keys(statuses) as Status[];
  if (id === 'recordPositions') return all.filter((status) => positions[status]);
  if (id === 'getProofOfDelivery') return stepsOf('submitProofOfDelivery').map(({ to }) => to);
  const steps = stepsOf(id);
  return steps.length > 0 ? steps.flatMap(({ from }) => from ?? []) : all;
}

/** What a valid request must get where the shipment stands. */
export function verdictOn(
  { operation, body, headers }: Sent,
  { status }: Pick<Shipment, 'status'>,
  world: World,
): Verdict {
  const { id } = operation;
  const success = { status: successOf(operation) };
  if (id === 'createShipment') {
    const { reference } = body as { reference?: string };
    const same = world.shipments.find((other) => other.reference === reference && other.status !== 'cancelled');
    return same && reference !== undefined ? refusal(409, 'reference_taken', { shipment_id: same.id }) : success;
  }
  if (!allowing(id).includes(status)) return conflict(id, status);
  const to = (body as { status?: Status } | undefined)?.status;
  if (stepsOf(id).length > 0 && to && !nextBy(id, status).includes(to)) return conflict(id, status);
  return headers['If-None-Match'] === '*' ? { status: 304 } : success;
}

function conflict(id: OperationId, current_status: Status): Verdict {
  if (id === 'recordPositions') return refusal(409, 'positions_not_accepted', { current_status });
  if (id === 'getProofOfDelivery') return refusal(409, 'not_delivered', { current_status });
  const allowed = transitions.flatMap(({ from, to }) => (from === current_status ? to : []));
  return refusal(409, 'invalid_transition', { current_status, allowed });
}

/** Fails when an answer is not what was promised. */
export function judge({ status, problem }: Answer, verdict: Verdict): void {
  expect(status, JSON.stringify(problem)).toBe(verdict.status);
  if (verdict.problem) expect(problem).toMatchObject(verdict.problem);
  const { fault } = verdict;
  if (!fault) return;
  const errors = problem?.errors ?? [];
  const elsewhere = errors.filter((error) => error.in !== fault.in || error.pointer !== fault.pointer);
  expect(elsewhere, `only ${fault.in} ${fault.pointer} is broken`).toEqual([]);
  expect(
    errors.map(({ code }) => code),
    `${fault.in} ${fault.pointer}`,
  ).toContain(fault.code);
}
