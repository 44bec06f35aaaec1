import { positions, statuses, transitions } from '@waybill/contract/lifecycle';
import { fieldErrorCodes } from '@waybill/contract/problems';
import { expect } from 'vitest';
import type { OperationId } from '../fixtures/contract.ts';
import type { Problem } from '../fixtures/http.ts';
import type { Status } from '../fixtures/shipments.ts';
import type { Part } from './parts.ts';
import type { Answer, Sent } from './send.ts';
import type { Shipment, World } from './world.ts';

/** What the contract promises for a request: the status, and of a problem what it says. */
export interface Verdict {
  status: number;
  problem?: Partial<Problem>;
  /** Where and how the request is broken. */
  fault?: { in: Part['in']; pointer: string; code: string };
}

export const refusal = (status: number, code: Problem['code'], more: Partial<Problem> = {}): Verdict => ({
  status,
  problem: { code, ...more },
});

/** A 400 that names the one field at fault. */
export const faulty = (
  place: Part['in'],
  pointer: string,
  code: string,
  as: Problem['code'] = 'invalid_request',
): Verdict => ({
  ...refusal(400, as),
  fault: { in: place, pointer, code },
});
export const codeOf = (keyword: string): string => fieldErrorCodes[keyword] ?? `no code for ${keyword}`;

export const everyStatus = Object.keys(statuses) as Status[];
/** The steps that an operation does, by the contract's table. */
const stepsOf = (id: OperationId) => transitions.filter(({ operation, from }) => operation === id && from !== null);
/** The statuses that an operation can bring a shipment to from where it stands. */
export const nextBy = (id: OperationId, status: Status): Status[] =>
  stepsOf(id).flatMap(({ from, to }) => (from === status ? to : []));
/** The statuses from which an operation succeeds. */
export function allowing(id: OperationId): Status[] {
  if (id === 'recordPositions') return everyStatus.filter((status) => positions[status]);
  if (id === 'getProofOfDelivery') return stepsOf('submitProofOfDelivery').map(({ to }) => to);
  if (id === 'createProofUpload') return ['scheduled', 'dispatched', 'picked_up', 'in_transit'];
  const steps = stepsOf(id);
  return steps.length > 0 ? steps.flatMap(({ from }) => from ?? []) : everyStatus;
}

/** What a valid request must get where its shipment stands. */
export function verdictOn({ shipments }: World, { operation, body, headers }: Sent, shipment?: Shipment): Verdict {
  const { id, responses } = operation;
  const success = { status: Number(Object.keys(responses).find((status) => status.startsWith('2'))) };
  if (id === 'createShipment') {
    const { reference } = body as { reference?: string };
    const same = shipments.find((other) => other.reference === reference && other.status !== 'cancelled');
    return same && reference !== undefined ? refusal(409, 'reference_taken', { shipment_id: same.id }) : success;
  }
  if (shipment) {
    const { status } = shipment;
    const to = (body as { status?: Status } | undefined)?.status;
    const refused = stepsOf(id).length > 0 && to && !nextBy(id, status).includes(to);
    if (refused || !allowing(id).includes(status)) return conflict(id, status);
  }
  return headers['If-None-Match'] === '*' ? { status: 304 } : success;
}

function conflict(id: OperationId, current_status: Status): Verdict {
  if (id === 'recordPositions') return refusal(409, 'positions_not_accepted', { current_status });
  if (id === 'getProofOfDelivery') return refusal(409, 'not_delivered', { current_status });
  if (id === 'createProofUpload') return refusal(409, 'uploads_not_accepted', { current_status });
  const allowed = transitions.flatMap(({ from, to }) => (from === current_status ? to : []));
  return refusal(409, 'invalid_transition', { current_status, allowed });
}

/** Fails when an answer is not what was promised. */
export function judge({ status, problem }: Answer, { status: promised, problem: said, fault }: Verdict): void {
  expect(status, JSON.stringify(problem)).toBe(promised);
  if (said) expect(problem).toMatchObject(said);
  if (!fault) return;
  const errors = problem?.errors ?? [];
  const where = `${fault.in} ${fault.pointer}`;
  expect(new Set(errors.map((error) => `${error.in} ${error.pointer}`)), `only ${where} is broken`).toEqual(
    new Set([where]),
  );
  expect(
    errors.map(({ code }) => code),
    where,
  ).toContain(fault.code);
}
