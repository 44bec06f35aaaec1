import type { PositionsRequest } from '@waybill/client';
import { expect } from 'vitest';
import { shipmentIn } from '../../fixtures/shipments.ts';
import type { TestAccount } from '../../fixtures/test.ts';

type Position = PositionsRequest['positions'][number];

/** The beginning of a test's route: an hour ago, so that nothing is ahead of the clock. */
const start: number = Date.now() - 3_600_000;

/** The timestamp so many seconds after the start. */
export const timestampAt = (second: number): string => new Date(start + second * 1000).toISOString();

/** The position at so many seconds; `lat` identifies it. */
export const at = (second: number, changes: Partial<Position> = {}): Position => {
  return { lat: second / 1000, lng: -122, updated_at: timestampAt(second), ...changes };
};

export const secondOf = ({ updated_at }: { updated_at: string }): number => (Date.parse(updated_at) - start) / 1000;

/** A shipment that accepts positions, and calls that record and read them. */
export async function newRoute(account: TestAccount) {
  const { recordPositions, getTracking, listPositions } = account.client;
  const shipment = await shipmentIn(account, 'dispatched');
  const path = { tracking_number: shipment.tracking_number };
  return {
    shipment,
    path,
    /** @returns the tracking status afterwards */
    async record(positions: Position[], eta?: string) {
      const response = await recordPositions({ ...path, positions, ...(eta !== undefined && { eta }) });
      expect(response).toEqual({ accepted: positions.length });
      return await getTracking(path);
    },
    tracking: async () => await getTracking(path),
    /** All stored positions, in list order. */
    stored: () => listPositions({ ...path, limit: 100 }).toArray({ limit: 1000 }),
  };
}
