import { isDeepStrictEqual } from 'node:util';
import { exceptionKinds } from '@waybill/contract/exceptions';
import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import { changes, positionRules, statuses, transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import { type OperationId, operationOf } from '../fixtures/contract.ts';
import type { Problem, Received } from '../fixtures/http.ts';
import { canBeDelivered, lifecycle } from '../fixtures/lifecycle.ts';
import type { Status } from '../fixtures/shipments.ts';
import type { Environment, Shipment } from './environment.ts';
import type { Made, Part } from './requests.ts';

/** The response that the contract requires: the status and the members of a problem. */
export interface Expected {
  status: number;
  problem?: Partial<Problem>;
  /** Where and how the request is broken. */
  field?: { in: Part['in']; pointer: string; code: string };
}

export const refusal = (status: number, code: Problem['code'], more: Partial<Problem> = {}): Expected => ({
  status,
  problem: { code, ...more },
});

/** A 400 that names the one invalid field. */
export const invalidField = (place: Part['in'], pointer: string, code: string): Expected => ({
  ...refusal(400, 'invalid_request'),
  field: { in: place, pointer, code },
});
export const codeOf = (keyword: string): string => fieldErrorCodes[keyword] ?? `no code for ${keyword}`;

export const everyStatus = Object.keys(statuses) as Status[];
/** The transitions of an operation in the contract. */
const stepsOf = (id: OperationId) => transitions.filter(({ operation, from }) => operation === id && from !== null);
/** The statuses that an operation can change this status to. */
export const nextBy = (id: OperationId, status: Status): Status[] =>
  stepsOf(id).flatMap(({ from, to }) => (from === status ? to : []));
/** The codes of the exceptions that can be raised in a status. */
export const exceptionsIn = (status: Status): string[] =>
  Object.entries(exceptionKinds).flatMap(([code, { statuses }]) => (statuses.includes(status) ? code : []));
/** The statuses from which an operation succeeds. */
export function statusesAllowing(id: OperationId): Status[] {
  if (id === 'recordPositions') return everyStatus.filter((status) => positionRules[status]);
  if (id === 'getProofOfDelivery') return stepsOf('submitProofOfDelivery').map(({ to }) => to);
  if (id === 'createProofUpload') return everyStatus.filter(canBeDelivered);
  if (operationOf(id).path.includes('/exceptions')) return everyStatus.filter((status) => exceptionsIn(status).length);
  const steps = stepsOf(id);
  return steps.length > 0 ? steps.flatMap(({ from }) => from ?? []) : everyStatus;
}

/** The response to a valid request, given the status of its shipment. */
export function expectedFor(
  { shipments }: Environment,
  { operation: id, parts: { query, body, headers } }: Made,
  shipment?: Shipment,
): Expected {
  const success = { status: Number(Object.keys(operationOf(id).responses).find((status) => status.startsWith('2'))) };
  if (id === 'createShipment') {
    const { reference } = body as { reference?: string };
    const same = shipments.find((other) => other.reference === reference && other.status !== 'cancelled');
    return same && reference !== undefined ? refusal(409, 'reference_taken', { shipment_id: same.id }) : success;
  }
  // A random position names no event of the account.
  const after = headers['Last-Event-ID'] ?? query.after;
  if ((id === 'listEvents' || id === 'streamEvents') && after !== undefined) return refusal(410, 'events_expired');
  // A random ETag is of no version.
  const isStale = (headers['If-Match'] ?? '*') !== '*';
  if (id === 'updateShipment' && shipment && !isStale) {
    const refused = differences(shipment.seen.shipment, body as Changes).filter(
      ({ until }) => !canReach(shipment.status, until),
    );
    const errors = refused.map(({ pointer }) => ({ pointer, code: 'not_allowed' })) as Problem['errors'] & object;
    if (errors.length > 0) return refusal(409, 'change_not_allowed', { current_status: shipment.status, errors });
  }
  if (shipment) {
    const { status } = shipment;
    const to = (body as { status?: Status } | undefined)?.status;
    const { code } = (body ?? {}) as { code?: string };
    if (id === 'raiseException' && code && !exceptionsIn(status).includes(code)) return conflict(id, status);
    const refused = stepsOf(id).length > 0 && to && !nextBy(id, status).includes(to);
    if (refused || !statusesAllowing(id).includes(status)) return conflict(id, status);
  }
  if (isStale) return refusal(412, 'precondition_failed');
  return headers['If-None-Match'] === '*' ? { status: 304 } : success;
}

type Changes = components['schemas']['ShipmentChanges'];

/** Whether transitions lead from a status to another one. */
const canReach = (from: Status, to: Status): boolean =>
  lifecycle[from].some((step) => step.to === to || canReach(step.to, to));

/** The fields that a request changes: those that it has with another value. */
export function differences(
  shipment: Partial<components['schemas']['ShipmentWithHandoverCode']>,
  body: Changes,
): { pointer: string; until: Status }[] {
  const rows = changes.flatMap(({ until, fields }) => fields.map((pointer) => ({ pointer, until })));
  return rows.filter(({ pointer }) => {
    const [stored, sent] = [valueAt(shipment, pointer), valueAt(body, pointer)];
    return sent !== undefined && !isIncluded(stored, sent);
  });
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, name) => (parent as Record<string, unknown> | null | undefined)?.[name], value);

/** Whether a stored value has what a merge patch says. Timestamps are equal when they are of the same time. */
function isIncluded(stored: unknown, sent: unknown): boolean {
  if (sent === null) return stored === undefined;
  if (Array.isArray(sent) || typeof sent !== 'object') return isDeepStrictEqual(stored, sent);
  if ('start' in sent && 'end' in sent)
    return ['start', 'end'].every((name) => timeOf(stored, name) === timeOf(sent, name));
  return Object.entries(sent).every(([name, value]) => isIncluded((stored as Record<string, unknown>)?.[name], value));
}

const timeOf = (range: unknown, name: string): number =>
  Date.parse(String((range as Record<string, unknown> | undefined)?.[name]));

function conflict(id: OperationId, current_status: Status): Expected {
  if (id === 'recordPositions') return refusal(409, 'positions_not_accepted', { current_status });
  if (id === 'getProofOfDelivery') return refusal(409, 'not_delivered', { current_status });
  if (id === 'createProofUpload') return refusal(409, 'uploads_not_accepted', { current_status });
  if (id === 'raiseException') return refusal(409, 'exception_not_accepted', { current_status });
  if (id === 'getException' || id === 'resolveException') return refusal(404, 'not_found'); // there is none
  const allowed = transitions.flatMap(({ from, to }) => (from === current_status ? to : []));
  return refusal(409, 'invalid_transition', { current_status, allowed });
}

/** Fails when a response differs from the expected one. */
export function checkResponse({ status, body }: Received, { status: expectedStatus, problem, field }: Expected): void {
  expect(status, JSON.stringify(body)).toBe(expectedStatus);
  if (problem) expect(body).toMatchObject(problem);
  if (!field) return;
  const { errors = [] } = body as Problem;
  // Details are for people: no regular expressions, durations in ISO 8601 or words of JSON Schema.
  for (const { detail } of errors) {
    expect(detail).not.toMatch(/\bpattern\b|\^|PT\d|NOT|[<>]=|undefined|constant/);
  }
  const where = `${field.in} ${field.pointer}`;
  expect(new Set(errors.map((error) => `${error.in} ${error.pointer}`)), `only ${where} is broken`).toEqual(
    new Set([where]),
  );
  expect(
    errors.map(({ code }) => code),
    where,
  ).toContain(field.code);
}
