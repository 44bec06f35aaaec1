import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Moves the scripts inside pages to files, so that the pages work under a policy that forbids inline scripts. */
export async function moveInlineScripts(dist: string, base: string): Promise<void> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.html'));
  const scripts = new Map<string, string>();
  for (const name of names) {
    const page = await readFile(join(dist, name), 'utf8');
    const moved = page.replaceAll(/<script(?![^>]*\bsrc=)([^>]*)>(.+?)<\/script>/gs, (_, attributes, script) => {
      const hash = createHash('sha256').update(script).digest('hex').slice(0, 8);
      const file = `assets/inline.${hash}.js`;
      scripts.set(file, script);
      return `<script${attributes} src="${base}${file}"></script>`;
    });
    await writeFile(join(dist, name), moved);
  }
  for (const [file, script] of scripts) await writeFile(join(dist, file), script);
}
