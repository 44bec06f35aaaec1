import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test as base, expect } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';
import { perFile } from '../fixtures/test.ts';

const dist = fileURLToPath(new URL('dist', import.meta.resolve('@waybill/docs/package.json')));

/** The paths of all pages below `/docs/`. */
export async function allPages(): Promise<string[]> {
  const files = await readdir(dist, { recursive: true });
  const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html');
  return pages.map((file) => file.replaceAll('\\', '/').replace(/(index)?\.html$/, '')).sort();
}

/** `service` serves the built docs. */
export const test = base.extend<{ $file: { service: Service } }>({
  service: perFile(() => {
    if (!existsSync(dist)) throw new Error(`${dist} is missing: \`pnpm test\` builds it before the tests.`);
    return startService({ DOCS_DIR: dist });
  }),
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

/** The bytes of a compressed response on the wire, without its head. */
export const transferSize = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, async (response) => {
      let size = 0;
      for await (const chunk of response) size += chunk.length;
      resolve(size);
    }).on('error', reject);
  });

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
