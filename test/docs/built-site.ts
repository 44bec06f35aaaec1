import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { testInBrowser } from '../fixtures/programs/chromium.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { perFile } from '../fixtures/test.ts';

const dist = fileURLToPath(new URL('dist', import.meta.resolve('@waybill/docs/package.json')));

/** The paths of all pages below `/docs/`. */
export async function allPages(): Promise<string[]> {
  const files = await readdir(dist, { recursive: true });
  const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html');
  return pages.map((file) => file.replaceAll('\\', '/').replace(/(index)?\.html$/, '')).sort();
}

/** `service` serves the built docs. */
export const test = testInBrowser.extend<{ $file: { service: Service } }>({
  service: perFile(() => {
    if (!existsSync(dist)) throw new Error(`${dist} is missing: \`pnpm test\` builds it before the tests.`);
    return startService({ DOCS_DIR: dist });
  }),
});
