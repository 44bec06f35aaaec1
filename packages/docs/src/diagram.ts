import type { Transition } from '@waybill/contract/lifecycle';

type Edge = Pick<Transition, 'from' | 'to' | 'operation'>;

interface Box {
  state: string;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Operations that lead to the state, if their arrows have no label. */
  operations: string[];
}

// Pixels of the drawing, which is as narrow as a phone.
const boxSize = { width: 100, height: 40 };
const columnLeft = 114;
const arrowLength = 30;
const pitch = 88;
const firstTop = 56;
const startY = 8;
const characterWidth = 7.3;

/**
 * Draws the states of the longest path in a column, with arrows labelled by their operation. Each other state is a box
 * beside the states that lead to it, with an arrow from each of them.
 * @throws for a transition that is neither of these: it needs a new kind of arrow
 */
export function diagram(edges: Edge[]): string {
  const line = mainLine(edges);
  const column = line.map((state, row): Box => {
    return { state, left: columnLeft, top: firstTop + row * pitch, ...boxSize, operations: [] };
  });
  const boxes = [...column];
  for (const state of new Set(edges.map(({ to }) => to))) {
    if (!line.includes(state)) boxes.push(besideColumn(state, edges, column, boxes));
  }
  const width = Math.max(...boxes.map(({ left, width }) => left + width)) + 2;
  const height = Math.max(...boxes.map(({ top, height }) => top + height)) + 2;
  const arrows = edges.map((edge) => arrow(edge, line, boxes));
  const summary = edges.map(({ from, to, operation }) => `${from ?? 'start'} to ${to} by ${operation}`).join('; ');
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${summary}">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>
<circle cx="${columnLeft + boxSize.width / 2}" cy="${startY}" r="6"/>
${arrows.join('')}${boxes.map(drawn).join('')}</svg>`;
}

/** The states of the longest path from the creation; the lifecycle has no cycles. */
export function mainLine(edges: Edge[], from: string | null = null): string[] {
  const paths = edges.filter((edge) => edge.from === from).map(({ to }) => [to, ...mainLine(edges, to)]);
  return paths.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}

/** A box that is as high as the states that lead to it. */
function besideColumn(state: string, edges: Edge[], column: Box[], others: Box[]): Box {
  const incoming = edges.filter(({ to }) => to === state);
  const sources = column.filter((box) => incoming.some(({ from }) => from === box.state));
  const operations = [...new Set(incoming.map(({ operation }) => operation))];
  const top = Math.min(...sources.map((box) => box.top));
  const bottom = Math.max(...sources.map((box) => box.top + box.height));
  const longestText = Math.max(...[state, ...operations].map(({ length }) => length));
  return {
    state,
    left: Math.max(...others.map(({ left, width }) => left + width)) + arrowLength,
    top,
    width: Math.max(boxSize.width, Math.ceil(longestText * characterWidth) + 16),
    height: bottom - top,
    operations,
  };
}

function arrow({ from, to, operation }: Edge, line: string[], boxes: Box[]): string {
  const source = boxes.find(({ state }) => state === from);
  const target = boxes.find(({ state }) => state === to);
  const isNext = line.includes(to) && line.indexOf(to) === (from === null ? 0 : line.indexOf(from) + 1);
  if (target && isNext) {
    const x = target.left + target.width / 2;
    const start = source ? source.top + source.height : startY;
    return `${path(`M${x} ${start} V${target.top - 1}`)}${label(operation, x - 10, (start + target.top) / 2 + 4)}`;
  }
  if (!source || !target || !line.includes(source.state) || line.includes(to)) {
    throw new Error(`The diagram of the lifecycle cannot draw ${from} → ${to}. Extend packages/docs/src/diagram.ts.`);
  }
  const y = source.top + source.height / 2;
  return path(`M${source.left + source.width} ${y} H${target.left - 1}`);
}

function drawn({ state, left, top, width, height, operations }: Box): string {
  const x = left + width / 2;
  const y = top + height / 2 + 5 - operations.length * 8;
  const lines = operations.map(
    (name, index) => `<text class="step" x="${x}" y="${y + 16 * (index + 1)}">${name}</text>`,
  );
  const color = `var(--${state.replaceAll('_', '-')}, var(--ink-3))`;
  return `<rect style="stroke: ${color}" x="${left}" y="${top}" width="${width}" height="${height}" rx="8"/>
<text class="state" x="${x}" y="${y}">${state}</text>${lines.join('')}
`;
}

const path = (d: string): string => `<path class="arrow" d="${d}" marker-end="url(#head)"/>\n`;

/** Text that ends at `x`. */
const label = (text: string, x: number, y: number): string =>
  `<text class="step end" x="${x}" y="${y}">${text}</text>\n`;
