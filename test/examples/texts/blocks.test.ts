import { existsSync } from 'node:fs';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { blocks, root, texts } from './blocks.ts';

// release/guide.test.ts runs those in bash; text is output.
test('every code block is in a language that these tests run', () => {
  const others = blocks.filter(({ language }) => !['ts', 'sh', 'bash', 'text', ''].includes(language));
  const places = others.map(({ file, line, language }) => `${file}:${line} ${language}`);
  const fix =
    'No test runs these blocks. Write them in ts or sh, show a file of packages/docs/samples, or run their language in test/examples/texts';
  expect(places, fix).toEqual([]);
  for (const [file, text] of Object.entries(texts)) {
    const fences = text.match(/^\s*(```|~~~)/gm) ?? [];
    expect(fences, `Begin each block of ${file} with \`\`\` and its language, at the left`).toHaveLength(
      blocks.filter((block) => block.file === file).length * 2,
    );
  }
});

const maps = blocks.filter(({ language }) => language === '');

test.for(maps)('the folder tree at $file:$line matches the repository', ({ code }) => {
  const folders: string[] = [];
  for (const line of code.trimEnd().split('\n')) {
    const [, indent = '', name = ''] = /^( *)(\S*)/.exec(line) ?? [];
    folders.splice(indent.length / 2, Number.POSITIVE_INFINITY, name);
    expect(existsSync(new URL(folders.join(''), root)), folders.join('')).toBe(true);
  }
});

test('the contract has no code blocks', () => {
  expect(JSON.stringify(contract)).not.toMatch(/x-code-?samples/i);
});
