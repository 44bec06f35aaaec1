import type { MarkdownRenderer } from 'vitepress';

/** Gives each cell of a table the heading of its column, which is shown with the cell on narrow screens. */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('table-labels', ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') labels = [];
      if (token.type === 'th_open') labels.push(tokens[index + 1]?.content ?? '');
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '');
    }
  });
}
