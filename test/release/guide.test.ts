import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '@waybill/tools/free-port';
import { expect, test } from 'vitest';
import { blocks, read, root } from '../examples/texts/blocks.ts';
import { ownDatabase } from '../fixtures/own-database.ts';
import { execute, packServer } from './release.ts';

const [installPostgres = '', ...others] = blocks
  .filter(({ file, language }) => file === 'deploy/guides/install.md' && language === 'bash')
  .map(({ code }) => code);

test('the commands of "Install and run" lead to a shipment and a stopped service', async () => {
  expect(installPostgres).toContain('create database waybill');
  const commands = others.filter((code) => !code.includes('systemctl'));
  await using database = await ownDatabase();
  await using release = await packServer();
  const port = await freePort();
  const script = commands
    .join('')
    .replace('postgres://waybill:$password@127.0.0.1:5432/waybill', database.url)
    .replace(/^SIGNING_KEYS=/m, `PORT=${port}\nDRAIN_MS=0\nDATABASE_TIMEOUT_MS=60000\nSIGNING_KEYS=`)
    .replaceAll('localhost:3000', `127.0.0.1:${port}`)
    .replaceAll(/\/(etc|var\/lib)\/waybill/g, `${release.folder}/$1/waybill`);
  const prefix = join(release.folder, 'usr');
  const folders = [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH];
  const npm = {
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_cache: join(release.folder, 'cache'),
  };
  const env = { ...npm, PATH: folders.join(delimiter), HOME: release.folder };
  const prepare = `trap 'jobs -p | xargs -r kill' EXIT; mkdir -p ${release.folder}/etc\n`;
  const { stdout } = await execute('bash', ['-euc', prepare + script], { cwd: release.folder, env, timeout: 100_000 });
  expect(stdout).toContain('"tracking_number":"FRT-');
});

test.for(Object.entries(read('deploy/guides/*.md')))('the links of %s lead to files of the release', ([file, text]) => {
  const links = [...text.matchAll(/\]\((?!https:|#)([^)#]+)/g)].map(
    ([, link = '']) => new URL(link, new URL(file, root)),
  );
  for (const { pathname, href } of links) {
    expect(href).toContain(`${root}deploy/`);
    expect(existsSync(pathname), pathname).toBe(true);
  }
});
