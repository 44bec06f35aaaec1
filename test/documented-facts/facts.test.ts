import { maxHeaderSize } from 'node:http';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { variables } from '@waybill/server/config';
import { expect } from 'vitest';
import { declarationOf } from '../fixtures/requests.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';
import { type Facts, statedFacts } from './facts.ts';

const { schemas } = contract.components;

interface Known {
  /** Where the contract states it. */
  places: string[];
  /** Checks the fact, unless a test elsewhere does. */
  proof?: (account: TestAccount) => unknown;
}

/** All values of a keyword, at every depth. */
function valuesOf(keyword: string, node: unknown = contract): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === keyword ? [value] : valuesOf(keyword, value)));
}
const durationsOf = (keyword: string): unknown[] => [
  ...new Set(valuesOf(keyword).filter((value) => String(value).startsWith('PT'))),
];
const timestamps = ['schemas ProofOfDeliveryRequest delivered_at', 'schemas TrackingEventRequest timestamp'];
const declaring = 'paths /tracking/{tracking_number}/pod/uploads post';
const tooManyUploads = 'schemas ProblemCode x-problems upload_limit_reached';
const putFile = 'paths /uploads/{upload_token} put';
const tooLarge = 'schemas ProblemCode x-problems payload_too_large';

/** Written by hand. A description that states a new fact fails the test until the fact is here and tested. */
const known: Record<string, Known> = {
  404: { places: ['info'] },
  409: { places: ['info', putFile] },
  429: { places: ['info', declaring] },
  '400, 401, 403, 413, 415, 429 and 5xx': {
    places: ['info'],
  },
  100: {
    places: ['schemas ProblemCode x-problems expectation_failed'],
  },
  304: { places: ['parameters If-None-Match'] },
  '1000 to 2999': {
    places: ['info', 'schemas RequestTimestamp'],
    proof: () => {
      for (const pattern of new Set(valuesOf('pattern', schemas.PickupWindow))) {
        const years = ['0999', '1000', '2999', '3000'].map((year) => `${year}-06-01T00:00:00Z`);
        expect(years.map((time) => new RegExp(String(pattern)).test(time))).toEqual([false, true, true, false]);
      }
    },
  },
  '1 MiB': { places: ['info', tooLarge], proof: () => expect(contract['x-max-body']).toBe(1_048_576) },
  '10 MiB': {
    places: ['info', tooLarge, 'schemas ProofUploadRequest size'],
    proof: () => expect(schemas.ProofUploadRequest.properties.size.maximum).toBe(10_485_760),
  },
  '1 to 16384 pixels': { places: [putFile] },
  '1024 KiB': { places: [putFile] },
  20: { places: [declaring, tooManyUploads] },
  '25 hours': {
    places: ['schemas ProblemCode x-problems storage_quota_exceeded'],
  },
  '16 KiB': {
    places: ['schemas ProblemCode x-problems headers_too_large'],
    proof: () => expect(maxHeaderSize).toBe(16_384),
  },
  '64 bits': {
    places: ['info'],
  },
  '24 hours': {
    places: ['info', 'parameters Idempotency-Key', declaring, tooManyUploads],
  },
  '90 days': {
    places: ['paths /tracking/{tracking_number}/positions get', 'schemas PositionReport updated_at'],
    proof: () => expect(variables.POSITION_DAYS.default).toBe(90),
  },
  'a day': { places: ['paths /tracking/{tracking_number}/positions get'] },
  '5 minutes ahead': {
    places: ['schemas PositionReport updated_at', ...timestamps],
    proof: () => expect(durationsOf('x-max-ahead')).toEqual(['PT5M']),
  },
  '5 minutes before': {
    places: timestamps,
    proof: () => expect(durationsOf('x-max-before-previous')).toEqual(['PT5M']),
  },
  '15 minutes': {
    places: ['schemas ProofUpload expires_at'],
    async proof({ client }) {
      const { tracking_number } = await newShipment({ client });
      const start = Date.now();
      const { data } = await client.createProofUpload({
        path: { tracking_number },
        body: declarationOf(Uint8Array.of(1)),
      });
      // Whole seconds.
      expect(Date.parse(data.expires_at)).toBeGreaterThan(start + 15 * 60_000 - 1000);
      expect(Date.parse(data.expires_at)).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
    },
  },
  'an hour': {
    places: ['paths /files/{file_token} get', 'schemas ProofOfDelivery signature_url'],
    async proof(account) {
      const { tracking_number } = await shipmentIn(account, 'delivered');
      const { data } = await account.client.getProofOfDelivery({ path: { tracking_number } });
      const { headers } = await fetch(data.signature_url);
      const [, seconds] = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThan(58 * 60);
      expect(Number(seconds)).toBeLessThanOrEqual(65 * 60);
    },
  },
  'newest first': {
    places: ['paths /shipments get', 'schemas ShipmentList'],
  },
  'oldest position first': {
    places: ['paths /tracking/{tracking_number}/positions get', 'schemas PositionList'],
  },
  'oldest first': {
    places: ['schemas TrackingStatus timeline'],
    async proof(account) {
      const { tracking_number } = await shipmentIn(account, 'picked_up');
      const { timeline } = (await account.client.getTracking({ path: { tracking_number } })).data ?? {};
      expect(timeline?.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'picked_up']);
    },
  },
  'greatest timestamp': {
    places: ['paths /tracking/{tracking_number}/positions post'],
  },
  'last wins': {
    places: ['paths /tracking/{tracking_number}/positions post'],
  },
  'latest reported': {
    places: ['schemas TrackingStatus current_location'],
  },
  'last changed': {
    places: ['schemas Shipment updated_at'],
    async proof(account) {
      const { id, created_at, updated_at } = await newShipment(account);
      expect(updated_at).toBe(created_at);
      const path = { shipment_id: id };
      const { data } = await account.client.cancelShipment({ path, body: { reason: 'No truck.' } });
      expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(created_at));
    },
  },
};

test("the contract's descriptions state exactly the known facts, in the known places", () => {
  const expected: Facts = Object.fromEntries(
    Object.entries(known).map(([name, { places }]) => [name, places.toSorted()]),
  );
  expect(
    statedFacts(),
    'A description states a new number, time or order, or no longer states one. Correct the description, or change ' +
      '`known` in test/documented-facts/facts.test.ts and test the fact.',
  ).toEqual(expected);
});

const proofs = Object.entries(known).flatMap(([fact, { proof }]) => (proof ? [[fact, proof] as const] : []));

test.for(proofs)(
  'the service obeys the stated fact: %s',
  async ([, proof], { account }) => void (await proof(account)),
);
