import type { Transition } from '@waybill/contract/lifecycle';

type Edge = Pick<Transition, 'from' | 'to' | 'operation'>;

// Pixels of the drawing.
const box = { width: 124, height: 42 };
const pitch = 190;
const first = 200;
const row = 74;
const branchRow = 196;

/**
 * Draws the states of the longest path in a row, with arcs labelled by their operation. Other states are drawn below the
 * states that lead to them.
 */
export function diagram(edges: Edge[]): string {
  const line = longestPath(edges, null);
  const branches = [...new Set(edges.map(({ to }) => to))].filter((state) => !line.includes(state));
  const centre = (state: string | null): number => first + line.indexOf(state ?? '') * pitch;
  const along = edges.filter(({ to }) => line.includes(to));
  const width = centre(line.at(-1) ?? null) + box.width / 2 + 8;
  const height = branches.length > 0 ? branchRow + box.height + 8 : row + box.height + 8;

  const drawnBranches = branches.map((state) => {
    const sources = edges.filter(({ to }) => to === state);
    const x = sources.reduce((sum, { from }) => sum + centre(from), 0) / sources.length;
    const names = [...new Set(sources.map(({ operation }) => operation))].join(', ');
    return `${sources.map(({ from }) => arrow(`M${centre(from)} ${row + box.height} L${x + Math.sign(centre(from) - x) * 14} ${branchRow - 3}`)).join('')}
${stateBox(state, x, branchRow)}<text class="step" x="${x + box.width / 2 + 12}" y="${branchRow + 26}">${names}</text>`;
  });
  const summary = edges.map(({ from, to, operation }) => `${from ?? 'start'} to ${to} by ${operation}`).join('; ');
  const drawing = `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${summary}">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>
${along.map(({ from, to, operation }) => (from === null ? start(operation) : arc(centre(from), centre(to), operation))).join('')}
${drawnBranches.join('')}
${line.map((state) => stateBox(state, centre(state), row)).join('')}
</svg>`;
  return drawing.replaceAll(/\n+/g, '\n'); // an empty line would end the HTML in a Markdown page
}

/** The states of the longest path from a state; the lifecycle has no cycles. */
function longestPath(edges: Edge[], from: string | null): string[] {
  const paths = edges.filter((edge) => edge.from === from).map(({ to }) => [to, ...longestPath(edges, to)]);
  return paths.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}

const stateBox = (state: string, x: number, y: number): string =>
  `<rect x="${x - box.width / 2}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>
<text class="state" x="${x}" y="${y + 26}" text-anchor="middle">${state}</text>
`;

const arrow = (path: string): string => `<path class="arrow" d="${path}" marker-end="url(#head)"/>\n`;

function start(operation: string): string {
  const end = first - box.width / 2;
  const y = row + box.height / 2;
  return `<circle cx="10" cy="${y}" r="6"/>${arrow(`M16 ${y} L${end - 3} ${y}`)}
<text class="step" x="${(16 + end) / 2}" y="${y - 12}" text-anchor="middle">${operation}</text>
`;
}

const arc = (from: number, to: number, operation: string): string =>
  `${arrow(`M${from + 14} ${row} C${from + 14} ${row - 48} ${to - 14} ${row - 48} ${to - 14} ${row - 3}`)}
<text class="step" x="${(from + to) / 2}" y="${row - 46}" text-anchor="middle">${operation}</text>
`;
