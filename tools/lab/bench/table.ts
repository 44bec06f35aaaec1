import type { Comparison, Figures } from './compare.ts';

const heads = ['requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Node', 'PostgreSQL', '× requests/s', '× CPU', '× p99'];
const cpu = ({ node, postgres }: Figures): number => node + postgres;

/**
 * A Markdown table with the ratios of the service to each peer: of the medians, and in parentheses the lowest and the highest
 * of the rounds. CPU time is per request.
 */
export function table({ operation, connections, load, servers: [service, ...peers] }: Comparison): string {
  if (!service) throw new Error('A comparison has no server');
  const row = ({ name, figures, rounds }: typeof service, ratios: string[]): string[] => {
    const { p50, p99, node, postgres } = figures;
    const times = [cpu(figures), node, postgres].map((time) => time.toFixed());
    return [
      name,
      range(
        figures.rate,
        rounds.map(({ rate }) => rate),
        0,
      ),
      p50.toFixed(2),
      p99.toFixed(2),
      ...times,
      ...ratios,
    ];
  };
  const rows = peers.map((peer) => {
    const ratios = [({ rate }: Figures) => rate, cpu, ({ p99 }: Figures) => p99].map((of) => {
      const each = service.rounds.map((round, index) => of(round) / of(peer.rounds[index] ?? peer.figures));
      return range(of(service.figures) / of(peer.figures), each, 2);
    });
    return row(peer, ratios);
  });
  const title = `${operation} × ${connections} (load ${load.toFixed(1)})`;
  return markdownTable([[title, ...heads], row(service, []), ...rows]);
}

const range = (median: number, values: number[], digits: number): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
};

/** A Markdown table, aligned for the terminal. The first row is the head; columns but the first are numbers. */
function markdownTable([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, index) => Math.max(3, ...[head, ...rows].map((row) => row[index]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const aligned = (row: string[]) =>
    line(widths.map((width, index) => (row[index] ?? '')[index === 0 ? 'padEnd' : 'padStart'](width)));
  const rule = line(widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [aligned(head), rule, ...rows.map(aligned)].join('\n');
}
