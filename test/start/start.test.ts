import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exitWithParent } from '@waybill/tools/exit-with-parent';
import { freePort } from '@waybill/tools/free-port';
import { expect, test, vi } from 'vitest';
import { patience } from '../harness/patience.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Start extends AsyncDisposable {
  child: ChildProcess;
  port: number;
  said(): string;
}

async function start(dataDir: string, settings: Record<string, string> = {}): Promise<Start> {
  const port = await freePort();
  const { PATH, HOME } = process.env; // vitest sets more, a BASE_URL of its own among them
  const env = { PATH, HOME, WAYBILL_DATA_DIR: dataDir, PORT: String(port), MOCK_PORT: String(await freePort()) };
  const child = spawn(process.execPath, ['tools/start/main.ts'], { cwd: root, env: { ...env, ...settings } });
  exitWithParent(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  return {
    child,
    port: Number(settings.PORT ?? port),
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}

const answers = async ({ port }: Start): Promise<boolean> => {
  const response = await fetch(`http://localhost:${port}/health/ready`);
  return response.ok;
};

test('the one command serves, its walk goes to the images of the proof, and everything stops and starts again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-start-'));
  const demo = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  let keys: unknown;
  {
    await using first = await start(dataDir);
    await vi.waitFor(async () => expect(await answers(first)).toBe(true), patience);
    await vi.waitFor(() => expect(first.said()).toContain('walk.sh'), patience);
    const { mode } = await stat(join(dataDir, 'demo.json'));
    expect(mode & 0o777).toBe(0o600);
    const { mock_url, api_key, carrier_api_key } = await demo();
    keys = { api_key, carrier_api_key };
    expect((await fetch(`${mock_url}/shipments`, { headers: { authorization: `Bearer ${api_key}` } })).status).toBe(
      200,
    );

    const { stdout } = await promisify(execFile)('bash', [join(dataDir, 'demo/walk.sh')]);
    const saved = [...stdout.matchAll(/^Saved (.*)$/gm)].map(([, file = '']) => file);
    expect(saved).toHaveLength(2);
    for (const file of saved) expect((await stat(file)).size).toBeGreaterThan(1000);

    first.child.kill('SIGTERM');
    expect((await once(first.child, 'exit'))[0]).toBe(0);
    await expect(answers(first)).rejects.toThrow();
  }
  {
    // Killed without a chance to clean up; the next start must not mind.
    await using second = await start(dataDir);
    await vi.waitFor(async () => expect(await answers(second)).toBe(true), patience);
  }
  await using third = await start(dataDir);
  await vi.waitFor(async () => expect(await answers(third)).toBe(true), patience);
  expect(await demo()).toMatchObject(keys as object);
  const { base_url, api_key } = await demo();
  const list = await fetch(`${base_url}/shipments`, { headers: { authorization: `Bearer ${api_key}` } });
  expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(1);
  third.child.kill('SIGINT');
  expect((await once(third.child, 'exit'))[0]).toBe(0);
  await rm(dataDir, { recursive: true });
});

test('a port that is taken is one sentence and exit code 1', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-start-'));
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const PORT = String(typeof address === 'object' && address ? address.port : 0);
  await using attempt = await start(dataDir, { PORT });
  expect((await once(attempt.child, 'exit'))[0]).toBe(1);
  expect(attempt.said()).toContain(PORT);
  taken.close();
  await rm(dataDir, { recursive: true });
});
