import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import type { Service } from '../fixtures/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import type { TestAccount } from '../fixtures/test.ts';

type Send = () => Promise<{ status: number }>;

/** Reads a shipment's tracking status. */
export const reader = ({ baseUrl }: Service, { key }: TestAccount, trackingNumber: string): Send =>
  sender(`${baseUrl}/tracking/${trackingNumber}`, { headers: { authorization: `Bearer ${key}` } });

/** Creates a shipment, each with a key of its own; its 201 counts as a 200. */
export const creator =
  ({ baseUrl }: Service, { key }: TestAccount): Send =>
  async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const body = JSON.stringify(shipmentRequest());
    const { status } = await sender(`${baseUrl}/shipments`, { method: 'POST', headers, body })();
    return { status: status === 201 ? 200 : status };
  };

/** Sends a request; a 503 must be a complete problem with Retry-After. */
const sender =
  (url: string, init: RequestInit): Send =>
  async () => {
    const response = await fetch(url, init);
    if (response.status === 503) {
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(await problemOf(response)).toMatchObject({ code: 'unavailable' });
    } else await response.arrayBuffer();
    return response;
  };
