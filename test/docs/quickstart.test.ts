import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { newAccount } from '../fixtures/test.ts';
import { blocksOf, runShell, test } from './site.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the commands of the quickstart create two shipments, even if the first is repeated, and list the first', async ({
  service,
}) => {
  const account = await newAccount(service);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-quickstart-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As `start` leaves the repository.
  await mkdir(join(folder, '.waybill'));
  await writeFile(join(folder, '.waybill/demo.json'), JSON.stringify({ api_key: account.key }, null, 2));
  for (const name of ['node_modules', 'packages']) await symlink(join(root, name), join(folder, name));

  const [start, key, create, ...others] = (await blocksOf(service, 'index')).filter(
    ({ language }) => language === 'sh',
  );
  expect(start?.code).toBe('npx -y pnpm@12 start\n');
  const commands = [key, create, create, ...others].map((block) => block?.code ?? '');
  const [created = '', repeated = '', listed = '', program = ''] = await runShell(
    commands.map((command) => command.replaceAll('http://localhost:3000', service.origin)),
    { cwd: folder, WAYBILL_URL: service.baseUrl },
  ).then((outputs) => outputs.filter(Boolean));
  const shipment = JSON.parse(created);
  expect(shipment).toMatchObject({ status: 'scheduled', tracking_number: expect.any(String) });
  expect(JSON.parse(repeated)).toEqual(shipment);
  expect(JSON.parse(listed).data).toMatchObject([{ id: shipment.id }]);
  expect(program).toMatch(/^FRT-\d{4}-\d{6} is scheduled$/);
  expect((await account.client.listShipments()).data).toHaveLength(2);
});
