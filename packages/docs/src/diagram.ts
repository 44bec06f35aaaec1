import type { Transition } from '@waybill/contract/lifecycle';

type Edge = Pick<Transition, 'from' | 'to' | 'operation'>;

// Pixels of the drawing, which is as narrow as a phone.
const box = { width: 100, height: 40 };
const column = 164;
const branchColumn = 290;
const pitch = 88;
const startRow = 8;
const firstRow = 76;

/**
 * Draws the states of the longest path in a column, with arrows labelled by their operation. Other states are drawn beside
 * the states that lead to them.
 */
export function diagram(edges: Edge[]): string {
  const line = longestPath(edges, null);
  const branches = [...new Set(edges.map(({ to }) => to))].filter((state) => !line.includes(state));
  const row = (state: string | null): number => firstRow + line.indexOf(state ?? '') * pitch;
  const along = edges.filter(({ to }) => line.includes(to));
  const width = (branches.length > 0 ? branchColumn : column) + box.width / 2 + 2;
  const height = row(line.at(-1) ?? null) + box.height / 2 + 2;

  const drawnAlong = along.map(({ from, to, operation }) => {
    const start = from === null ? startRow : row(from) + box.height / 2;
    const end = row(to) - box.height / 2;
    return `${arrow(`M${column} ${start} V${end - 3}`)}${label(operation, column - 10, (start + end) / 2 + 4)}`;
  });
  const drawnBranches = branches.map((state) => {
    const sources = edges.filter(({ to }) => to === state);
    const rows = sources.map(({ from }) => row(from));
    const y = rows.reduce((sum, source) => sum + source, 0) / rows.length;
    const arrows = rows.map((source) =>
      arrow(
        `M${column + box.width / 2} ${source} H${branchColumn} V${y + Math.sign(source - y) * (box.height / 2 + 3)}`,
      ),
    );
    const names = [...new Set(sources.map(({ operation }) => operation))].join(', ');
    return `${arrows.join('')}${stateBox(state, branchColumn, y)}${label(names, width - 2, Math.min(...rows) - 8)}`;
  });
  const summary = edges.map(({ from, to, operation }) => `${from ?? 'start'} to ${to} by ${operation}`).join('; ');
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${summary}">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>
<circle cx="${column}" cy="${startRow}" r="6"/>
${drawnAlong.join('')}${drawnBranches.join('')}${line.map((state) => stateBox(state, column, row(state))).join('')}</svg>`;
}

/** The states of the longest path from a state; the lifecycle has no cycles. */
function longestPath(edges: Edge[], from: string | null): string[] {
  const paths = edges.filter((edge) => edge.from === from).map(({ to }) => [to, ...longestPath(edges, to)]);
  return paths.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}

const stateBox = (state: string, x: number, y: number): string =>
  `<rect x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="8"/>
<text class="state" x="${x}" y="${y + 5}" text-anchor="middle">${state}</text>
`;

const arrow = (path: string): string => `<path class="arrow" d="${path}" marker-end="url(#head)"/>\n`;

/** Text that ends at `x`. */
const label = (text: string, x: number, y: number): string =>
  `<text class="step" x="${x}" y="${y}" text-anchor="end">${text}</text>\n`;
