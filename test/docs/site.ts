import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
