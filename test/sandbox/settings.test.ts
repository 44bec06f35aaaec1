import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from '@waybill/sandbox/demo/data-folder';
import { portFrom, readSettings } from '@waybill/sandbox/demo/settings';
import { word } from '@waybill/sandbox/demo/shell';
import { expect, test } from 'vitest';

test('readSettings returns URLs that a client on this machine can open, and treats an empty variable as unset', () => {
  const defaults = { baseUrl: 'http://localhost:3000/v1', localUrl: 'http://localhost:3000' };
  expect(readSettings({ PORT: '', HOST: '', DATABASE_URL: '', WAYBILL_DATA_DIR: '' })).toMatchObject(defaults);
  expect(readSettings({ HOST: '0.0.0.0', PORT: '80' }).baseUrl).toBe('http://localhost:80/v1');
  expect(readSettings({ HOST: 'fe80::1' }).localUrl).toBe('http://[fe80::1]:3000');
  expect(readSettings({ BASE_URL: 'https://api.example.com/v1' }).baseUrl).toBe('https://api.example.com/v1');
});

test.for(['abc', '0', '65536', '80.5', ' 80', '-1'])('the port %j is refused with an example', (text) => {
  expect(() => readSettings({ PORT: text })).toThrow(`PORT must be a port from 1 to 65535, not '${text}'`);
  expect(() => portFrom({ MOCK_PORT: text }, 'MOCK_PORT', 4010)).toThrow(/^MOCK_PORT .* for example MOCK_PORT=4010$/);
});

test('prepareDataFolder creates a folder with spaces below missing ones, twice, and names what prevents it', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'waybill-data-')), 'not there/my data');
  for (const _ of [1, 2]) await prepareDataFolder(folder);
  expect(await readdir(folder)).toEqual(['demo', 'files', 'postgres']);
  expect(word(folder)).toBe(`'${folder}'`);
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'missing/target'), join(folder, 'broken'));
  await mkdir(join(folder, 'closed'), 0o500);
  for (const [path, reason] of Object.entries({
    'file/below/it': 'a part of .*/file/below.* is a file, not a folder',
    'broken/below': '.* cannot be created, because its file system or a broken link prevents it',
    ...(process.getuid?.() === 0 ? {} : { 'closed/below': 'you are not allowed to write .*' }),
  })) {
    const message = `^WAYBILL_DATA_DIR .*${path}: ${reason}\\. Use a folder in which you can create files, for example`;
    await expect(prepareDataFolder(join(folder, path))).rejects.toThrow(new RegExp(message));
  }
});
