import { startProxy } from '@waybill/tools/network';
import { expect, test } from 'vitest';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { signingKey } from '../../fixtures/service.ts';
import { folderFiles } from '../../fixtures/stored-files.ts';
import { startWaybill } from './run.ts';

test('`waybill serve` prints what it logs while it closes', async () => {
  await using files = await folderFiles();
  await using proxy = await startProxy(Number(new URL(databaseUrl()).port));
  await using program = startWaybill(['serve'], {
    PORT: '0',
    SIGNING_KEYS: signingKey,
    STORAGE_URL: files.url,
    DATABASE_URL: proxy.through(databaseUrl()),
  });
  await program.waitForOutput(/listening at/);
  await proxy.set({ kind: 'refuse' });
  program.signal('SIGTERM');
  const { code, stdout } = await program.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('could not release webhook endpoints');
});
