import { instance } from '@viz-js/viz';
import type { Transition } from '@waybill/contract/lifecycle';

type Edge = Pick<Transition, 'from' | 'to' | 'operation'>;

const graphviz = await instance();

/** Draws the transitions between the statuses, with those of the longest path below each other. */
export function diagram(edges: Edge[]): string {
  const line = mainLine(edges);
  const svg = graphviz.renderString(
    {
      graphAttributes: { bgcolor: 'transparent', nodesep: 0.2, ranksep: 0.25 },
      // Graphviz knows the widths of Courier, which are those of the font of the site.
      nodeAttributes: { shape: 'box', style: 'rounded', fontname: 'Courier', fontsize: 9.75, height: 0.4 },
      edgeAttributes: { fontname: 'Courier', fontsize: 9, arrowsize: 0.6 },
      nodes: [
        { name: 'start', attributes: { shape: 'point', width: 0.16, group: 'line' } },
        ...[...new Set(edges.map(({ to }) => to))].map((name) => {
          return { name, attributes: { class: name, group: line.includes(name) ? 'line' : name } };
        }),
      ],
      edges: edges.map(({ from, to, operation }) => {
        // Two lines, aligned at the left, so that the drawing is as narrow as a phone.
        const label = ` ${operation.replace(/(?=[A-Z][a-z]*$)/, ' \\l ')} \\l`;
        return { tail: from ?? 'start', head: to, attributes: { label } };
      }),
    },
    { format: 'svg' },
  );
  const summary = edges.map(({ from, to, operation }) => `${from ?? 'start'} to ${to} by ${operation}`).join('; ');
  return svg
    .slice(svg.indexOf('<svg'))
    .replace('<svg', `<svg role="img" aria-label="${summary}"`)
    .replaceAll(/class="node (\w+)"/g, (_, status: string) => {
      return `class="node" style="--status: var(--${status.replaceAll('_', '-')}, var(--ink-3))"`;
    });
}

/** The states of the longest path from the creation; the lifecycle has no cycles. */
export function mainLine(edges: Edge[], from: string | null = null): string[] {
  const paths = edges.filter((edge) => edge.from === from).map(({ to }) => [to, ...mainLine(edges, to)]);
  return paths.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}
