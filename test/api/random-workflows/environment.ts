import { type Client, createClient, type Shipment, type TrackingStatus } from '@waybill/client';
import { expect } from 'vitest';
import type { OperationId } from '../../fixtures/contract.ts';
import { type Posted, post } from '../../fixtures/post.ts';
import type { Service } from '../../fixtures/service.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';

/** A request that has an effect, with all of its responses. */
export interface SentRequest {
  operation: OperationId;
  path: string;
  body: object;
  key: string;
  responses: Posted[];
}

/** What was acknowledged to the clients of an account. */
export interface Known {
  account: TestAccount;
  shipments: Shipment[];
  sent: SentRequest[];
}

/** One client: a key of an account, at one instance of the service. */
export interface Actor {
  known: Known;
  service: Service;
  /** For reads. */
  client: Client;
  /** The tracking status of a shipment that this client read last. */
  seen: Map<string, TrackingStatus>;
}

export const newActor = (service: Service, known: Known): Actor => ({
  known,
  service,
  seen: new Map(),
  client: createClient({ baseUrl: service.baseUrl, apiKey: known.account.key, maxRetries: 0 }),
});

export const newKnown = async (service: Service): Promise<Known> => ({
  account: await newAccount(service),
  shipments: [],
  sent: [],
});

/** Sends a request that has an effect, under a new key. */
export async function send(actor: Actor, operation: OperationId, path: string, body: object): Promise<Posted> {
  const request: SentRequest = { operation, path, body, key: crypto.randomUUID(), responses: [] };
  actor.known.sent.push(request);
  return resend(actor, request);
}

/** Sends a request again, unchanged. */
export async function resend({ service, known }: Actor, request: SentRequest): Promise<Posted> {
  const response = await post(service, known.account, request);
  request.responses.push(response);
  // The one 503 of a healthy service: a reference that was freed between two statements.
  const { code } = response.body as { code?: string };
  if (request.operation === 'createShipment' && response.status === 503) return response;
  expect(response.status, `${request.operation}: ${JSON.stringify(response.body)}`).toBeLessThan(500);
  // Only an event can be invalid: its timestamp may be too early or too late.
  if (request.operation !== 'recordTrackingEvent') expect(response.status, JSON.stringify(response.body)).not.toBe(400);
  expect(['idempotency_in_progress', 'idempotency_key_reused', 'rate_limited']).not.toContain(code);
  return response;
}
