import type { Comparison, Figures } from './compare.ts';

const heads = ['requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Node', 'PostgreSQL', '× requests/s', '× CPU', '× p99'];
const cpu = ({ node, postgres }: Figures): number => node + postgres;

/** A Markdown table with the ratios of the service to each peer. CPU time is per request. */
export function table({ operation, connections, load, servers }: Comparison): string {
  const service = servers[0]?.figures;
  const rows = servers.map(({ name, figures }) => {
    const { rate, p50, p99, node, postgres } = figures;
    const ratio = (of: (figures: Figures) => number) =>
      service && figures !== service ? (of(service) / of(figures)).toFixed(2) : '';
    const times = [cpu(figures), node, postgres].map((time) => time.toFixed());
    const ratios = [ratio((each) => each.rate), ratio(cpu), ratio((each) => each.p99)];
    return [name, rate.toFixed(), p50.toFixed(2), p99.toFixed(2), ...times, ...ratios];
  });
  const title = `${operation} × ${connections} (load ${load.toFixed(1)})`;
  return markdownTable([[title, ...heads], ...rows]);
}

/** A Markdown table, aligned for the terminal. The first row is the head; columns but the first are numbers. */
export function markdownTable([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, index) => Math.max(3, ...[head, ...rows].map((row) => row[index]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const aligned = (row: string[]) =>
    line(widths.map((width, index) => (row[index] ?? '')[index === 0 ? 'padEnd' : 'padStart'](width)));
  const rule = line(widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [aligned(head), rule, ...rows.map(aligned)].join('\n');
}
