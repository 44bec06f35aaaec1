import { instance } from '@viz-js/viz';
import { lifecycle, type StatusRule } from '@waybill/contract/lifecycle';
import { steps } from '@waybill/contract/statuses';

type Status = keyof typeof lifecycle;

const graphviz = await instance();

/** An arrow to each status from the nearest one that it can follow; to an end that only some lead to, from each. */
function edgesTo([to, { from, operations }]: [Status, StatusRule]): {
  from: string;
  to: Status;
  operations: string[];
}[] {
  const starts = steps.includes(to) ? [steps[steps.indexOf(to) - 1] ?? 'start'] : from;
  return starts.map((one) => ({ from: one, to, operations }));
}

/** Draws the statuses, with those from the creation to the delivery below each other. */
export function diagram(): string {
  const edges = (Object.entries(lifecycle) as [Status, StatusRule][]).flatMap(edgesTo);
  const svg = graphviz.renderString(
    {
      graphAttributes: { bgcolor: 'transparent', nodesep: 0.2, ranksep: 0.25 },
      // Graphviz knows the widths of Courier, which are those of the font of the site.
      nodeAttributes: { shape: 'box', style: 'rounded', fontname: 'Courier', fontsize: 9.75, height: 0.4 },
      edgeAttributes: { fontname: 'Courier', fontsize: 9, arrowsize: 0.6 },
      nodes: [
        { name: 'start', attributes: { shape: 'point', width: 0.16, group: 'line' } },
        ...[...new Set(edges.map(({ to }) => to))].map((name) => {
          return { name, attributes: { class: name, group: steps.some((status) => status === name) ? 'line' : name } };
        }),
      ],
      edges: edges.map(({ from, to, operations }) => {
        // Two lines each, aligned at the left, so that the drawing is as narrow as a phone.
        const names = operations.map((operation) => ` ${operation.replace(/(?=[A-Z][a-z]*$)/, ' \\l ')}`);
        const label = `${names.join(' or \\l')} \\l`;
        return { tail: from, head: to, attributes: { label } };
      }),
    },
    { format: 'svg' },
  );
  const summary = edges.map(({ from, to, operations }) => `${from} to ${to} by ${operations.join(' or ')}`).join('; ');
  return svg
    .slice(svg.indexOf('<svg'))
    .replace('<svg', `<svg role="img" aria-label="${summary}"`)
    .replaceAll(/class="node (\w+)"/g, (_, status: string) => {
      return `class="node" style="--status: var(--${status.replaceAll('_', '-')}, var(--ink-3))"`;
    });
}
