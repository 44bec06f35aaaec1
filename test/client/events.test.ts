import { createClient } from '@waybill/client';
import { expect, vi } from 'vitest';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test.for(['followEvents', 'streamEvents'] as const)(
  '%s yields each event once, in order, also in another request',
  async (method, { service, account }) => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await newShipment(account)).id);
    const all = await account.client.listEvents({ limit: 2 }).toArray({ limit: 10 });
    expect(all.map(({ data }) => data.shipment?.id)).toEqual(ids);
    expect(await account.client.listEvents({ after: all.at(-1)?.id }).toArray({ limit: 10 })).toEqual([]);

    const attempts: number[] = [];
    const onRequest = ({ attempt }: { attempt: number }) => attempts.push(attempt);
    const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key, onRequest });
    const events = client[method]({ after: all[0]?.id });
    const next = async () => (await events.next()).value?.data.shipment?.id;
    expect([await next(), await next()]).toEqual(ids.slice(1));
    const waiting = next();
    // Streams of the tests' services end after a second.
    await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(1), waitTimeout);
    const { id } = await newShipment(account);
    expect(await waiting).toBe(id);
    expect(new Set(attempts), 'no request was repeated').toEqual(new Set([1]));
    await events.return();
  },
);
