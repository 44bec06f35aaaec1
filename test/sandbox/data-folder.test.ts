import { mkdir, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from '@waybill/sandbox/data-folder';
import { word } from '@waybill/sandbox/shell';
import { expect, test } from 'vitest';

const newFolder = () => mkdtemp(join(tmpdir(), 'waybill-data-'));

test('prepareDataFolder creates a folder with spaces below missing ones, twice, and leaves no file', async () => {
  const folder = join(await newFolder(), 'not there/my data');
  for (const _ of [1, 2]) await prepareDataFolder(folder);
  expect(await readdir(folder)).toEqual(['demo', 'files', 'postgres']);
  expect((await stat(join(folder, 'files'))).mode & 0o777).toBe(0o700);
  expect(word(folder)).toBe(`'${folder}'`);
});

test('prepareDataFolder names a file in the path, also that of a folder within the data folder', async () => {
  const folder = await newFolder();
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'below'), join(file, 'below/it')]) {
    await expect(prepareDataFolder(path)).rejects.toThrow(
      `WAYBILL_DATA_DIR ${path}: a part of ${path} is a file, not a folder. Use a folder in which you can create files, for example WAYBILL_DATA_DIR=$HOME/waybill`,
    );
  }
  await writeFile(join(folder, 'files'), '');
  await expect(prepareDataFolder(folder)).rejects.toThrow(`a part of ${folder}/files is a file`);
});

test('prepareDataFolder rejects links that lead nowhere and to themselves', async () => {
  const folder = await newFolder();
  await symlink(join(folder, 'missing/target'), join(folder, 'broken'));
  await symlink(join(folder, 'loop'), join(folder, 'loop'));
  for (const name of ['broken', 'broken/below', 'loop', 'loop/below'])
    await expect(prepareDataFolder(join(folder, name))).rejects.toThrow(/^WAYBILL_DATA_DIR .*\. Use a folder in which/);
});

test.skipIf(process.platform !== 'linux')('prepareDataFolder rejects file systems that hold no folders', async () => {
  for (const path of ['/proc/x', '/proc/x/y', '/sys/x', '/dev/null/x', `/tmp/${'x'.repeat(300)}`])
    await expect(prepareDataFolder(path)).rejects.toThrow(`WAYBILL_DATA_DIR ${path}: `);
});

test.skipIf(process.getuid?.() === 0)('prepareDataFolder rejects a folder that the user cannot write', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'closed'), 0o500);
  for (const name of ['closed', 'closed/below'])
    await expect(prepareDataFolder(join(folder, name))).rejects.toThrow(/you are not allowed to write/);
});
