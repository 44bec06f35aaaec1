import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read, root } from '../docs/blocks.ts';

test.for(Object.entries(read('deploy/guides/*.md')))('the links of %s lead to files of the release', ([file, text]) => {
  const links = [...text.matchAll(/\]\((?!https:|#)([^)#]+)/g)].map(
    ([, link = '']) => new URL(link, new URL(file, root)),
  );
  for (const { pathname, href } of links) {
    expect(href).toContain(`${root}deploy/`);
    expect(existsSync(pathname), pathname).toBe(true);
  }
});
