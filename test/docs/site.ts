import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test as base, expect } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';

const dist = fileURLToPath(new URL('dist', import.meta.resolve('@waybill/docs/package.json')));

/** `service` serves the built docs. */
export const test = base.extend<{ $file: { service: Service } }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      if (!existsSync(dist)) throw new Error(`${dist} is missing: \`pnpm test\` builds it before the tests.`);
      await using service = await startService({ DOCS_DIR: dist });
      await use(service);
    },
    { scope: 'file' },
  ],
});

/** The addresses that a page links to. */
export function linksIn(source: string, url: string): URL[] {
  return [...source.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => new URL(href, url));
}

/** Reads a page that must be there. */
export async function read(url: string): Promise<string> {
  const response = await fetch(url);
  const source = await response.text();
  expect(response.status, url).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  return source;
}

/** The code blocks of a page, from its Markdown. */
export async function blocksOf({ origin }: Service, page: string): Promise<{ language: string; code: string }[]> {
  const text = await (await fetch(`${origin}/docs/${page}.md`)).text();
  return [...text.matchAll(/^```(\w+)(?: \[[^\n]+\])?\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** Runs commands in one shell, as a reader pastes them, and returns the output of each. A failed one rejects. */
export async function runShell(commands: string[], { cwd, ...env }: Record<string, string>): Promise<string[]> {
  const end = '-- end of command --';
  const script = commands.map((command) => `${command}\necho '\n${end}'`).join('\n');
  const whole = `set -eu\ncurl() { command curl -sS --fail-with-body "$@"; }\n${script}`;
  const { PATH = '' } = process.env;
  const options = { env: { PATH, ...env }, timeout: 60_000, ...(cwd && { cwd }) };
  const { stdout } = await promisify(execFile)('sh', ['-c', whole], options);
  return stdout
    .split(end)
    .slice(0, -1)
    .map((output) => output.trim());
}
