import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read, root } from './blocks.ts';

// The pages of packages/docs have the URLs of the site, which site.test.ts follows.
const files = Object.entries(read('**/*.md')).filter(([file]) => !file.startsWith('packages/docs/'));

test.for(files)('the links of %s lead to files, and those of a guide to files of its release', ([file, text]) => {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
    ([, link = '']) => new URL(link, new URL(file, root)),
  );
  for (const { pathname, href } of links) {
    if (file.startsWith('deploy/guides/')) expect(href).toContain(`${root}deploy/`);
    expect(existsSync(pathname), pathname).toBe(true);
  }
});
