import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { newAccount } from '../fixtures/test.ts';
import { runTypeScript } from '../fixtures/typescript.ts';
import { blocksOf, runShell, test } from './site.ts';

test('the commands of the quickstart create two shipments, even if the first is repeated, and list the first', async ({
  service,
}) => {
  const account = await newAccount(service);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-quickstart-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As `start` leaves the repository.
  await mkdir(join(folder, '.waybill'));
  await writeFile(join(folder, '.waybill/demo.json'), JSON.stringify({ api_key: account.key }, null, 2));

  const blocks = await blocksOf(service, 'quickstart');
  const [variables = '', key = '', create = '', list = '', install = ''] = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code);
  expect(variables).toBe('export WAYBILL_URL=https://api.example.com/v1\nexport WAYBILL_API_KEY=wbk_your_key\n');
  expect(install).toContain('waybill-client-');
  const setUrl = variables.replace('https://api.example.com/v1', service.baseUrl);
  const outputs = await runShell([setUrl, key, create, create, list], { cwd: folder });
  const [, , created = '', repeated = '', listed = ''] = outputs;
  const shipment = JSON.parse(created);
  expect(Date.parse(shipment.pickup_window.start)).toBeGreaterThan(Date.now());
  expect(shipment).toMatchObject({ status: 'scheduled', tracking_number: expect.any(String) });
  expect(JSON.parse(repeated)).toEqual(shipment);
  expect(JSON.parse(listed).data).toMatchObject([{ id: shipment.id }]);

  const program = blocks.find(({ language }) => language === 'ts')?.code ?? ''; // test/client runs it as a user does
  const env = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key };
  const [ended] = await runTypeScript(program, [env]);
  expect(ended?.stdout.trim()).toMatch(/^FRT-\d{4}-\d{6} is scheduled$/);
  expect((await account.client.listShipments()).data).toHaveLength(2);
});
