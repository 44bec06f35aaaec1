import type { MarkdownRenderer } from 'vitepress';

/** Where a line of code may end in a cell: a column is as wide as its longest word. */
const wordEnd = /(?<=[\w}][_./])(?=[\w{])/g;

/**
 * Gives each cell of a table the heading of its column, which is shown with the cell on narrow screens, and lets the words of
 * its code wrap.
 */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('table-labels', ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') labels = [];
      if (token.type === 'th_open') labels.push(tokens[index + 1]?.content ?? '');
      if (token.type === 'tr_open') column = 0;
      if (token.type !== 'td_open') continue;
      token.attrSet('data-label', labels[column++] ?? '');
      for (const child of tokens[index + 1]?.children ?? []) child.meta = { isInCell: true };
    }
  });
  const { code_inline: render } = md.renderer.rules;
  md.renderer.rules.code_inline = (tokens, index, ...more) => {
    const html = render?.(tokens, index, ...more) ?? '';
    return tokens[index]?.meta?.isInCell ? html.replaceAll(wordEnd, '<wbr>') : html;
  };
}
