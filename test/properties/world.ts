import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import type { Service } from '../fixtures/service.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import { type Posted, post } from '../idempotency/post.ts';

type Schemas = components['schemas'];
type Shipment = Schemas['Shipment'];
type Operation =
  | 'createShipment'
  | 'cancelShipment'
  | 'recordTrackingEvent'
  | 'recordPositions'
  | 'createProofUpload'
  | 'submitProofOfDelivery';

/** A request that has an effect, with every answer that it ever got. */
export interface Told {
  operation: Operation;
  path: string;
  body: object;
  key: string;
  answers: Posted[];
}

/** What an account's clients know together: what was acknowledged to one of them. */
export interface World {
  account: TestAccount;
  shipments: Shipment[];
  told: Told[];
  /** Every shipment id that an answer to this account named. */
  named: Set<string>;
}

/** One client: a key of an account, at one instance of the service. */
export interface Actor {
  world: World;
  foreign: World;
  service: Service;
  /** The last that this client saw of a shipment's timeline and place. */
  seen: Map<string, Schemas['TrackingStatus']>;
}

export const newWorld = async (service: Service): Promise<World> => ({
  account: await newAccount(service),
  shipments: [],
  told: [],
  named: new Set(),
});

/** Sends a request that has an effect, under a new key. */
export async function tell(actor: Actor, operation: Operation, path: string, body: object): Promise<Posted> {
  const request: Told = { operation, path, body, key: crypto.randomUUID(), answers: [] };
  actor.world.told.push(request);
  return retell(actor, request);
}

/** Sends a request again, as it was. */
export async function retell({ service, world }: Actor, request: Told): Promise<Posted> {
  const answer = await post(service, world.account, request);
  request.answers.push(answer);
  // The one 503 of a healthy service: a reference that became free between two statements.
  const { code } = answer.body as { code?: string };
  if (request.operation === 'createShipment' && answer.status === 503) return answer;
  expect(answer.status, `${request.operation}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  // Of all that is sent only an event can be at fault: it may lie too far before or ahead.
  if (request.operation !== 'recordTrackingEvent') expect(answer.status, JSON.stringify(answer.body)).not.toBe(400);
  expect(['idempotency_in_progress', 'idempotency_key_reused', 'rate_limited']).not.toContain(code);
  return answer;
}

/** Reads as the account's own client; what is not there is undefined. */
export async function ask<T>({ service, world }: Actor, path: string): Promise<T | undefined> {
  const response = await fetch(service.baseUrl + path, {
    headers: { authorization: `Bearer ${world.account.key}` },
  });
  const body = await response.json();
  expect([200, 404, 409], JSON.stringify(body)).toContain(response.status);
  return response.status === 200 ? (body as T) : undefined;
}
