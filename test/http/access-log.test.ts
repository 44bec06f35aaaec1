import { expect, vi } from 'vitest';
import { declarationOf, tokenOf } from '../fixtures/requests.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('the service logs every response without keys and signed URLs', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info' }, log);
  const { client, key } = await newAccount(service);
  const { tracking_number } = await newShipment({ client });
  const body = declarationOf(Uint8Array.of(1));
  const { data } = await client.createProofUpload({ path: { tracking_number }, body });
  const token = tokenOf(data.upload_url);
  await fetch(data.upload_url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: 'x' });
  await fetch(`${service.baseUrl}/files/${token}?surprise=1`);
  const responses = [
    ['POST', 201],
    ['POST', 201],
    ['PUT', 400],
    ['GET', 400],
  ];
  const logged = () => log.filter(({ method }) => method).map(({ method, status }) => [method, status]);
  await vi.waitFor(() => expect(logged()).toEqual(responses), waitTimeout);
  expect(JSON.stringify(log)).not.toContain(token);
  expect(JSON.stringify(log)).not.toContain(key.split('_')[2]);
});
