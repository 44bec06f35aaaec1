import type { Figures } from './compare.ts';

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
};

/** The median, and in parentheses the lowest and the highest. */
const range = (values: number[], digits: number): string => {
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map((it) =>
    it.toFixed(digits),
  );
  return `${middle} (${low}–${high})`;
};

const cpu = ({ node, postgres }: Figures): number => node + postgres;
const heads = [
  ...['requests/s', 'p50 ms', 'p99 ms', 'flush p99', 'CPU µs', 'Node', 'PostgreSQL'],
  ...['× requests/s', '× CPU', '× p99'],
];

/**
 * A Markdown table, aligned for the terminal, with the ratios of the service to each peer. CPU time is per request.
 * @param servers the service, and then its peers
 */
export function table(title: string, servers: { name: string; rounds: Figures[] }[]): string {
  const [service, ...peers] = servers;
  const row = ({ name, rounds }: (typeof servers)[number], ratios: string[]): string[] => {
    const middle = (of: (figures: Figures) => number, digits: number) => median(rounds.map(of)).toFixed(digits);
    const times = [cpu, ({ node }: Figures) => node, ({ postgres }: Figures) => postgres].map((of) => middle(of, 0));
    const latencies = [({ p50 }: Figures) => p50, ({ p99 }: Figures) => p99, ({ flushP99 }: Figures) => flushP99].map(
      (of) => middle(of, 2),
    );
    const rates = rounds.map(({ rate }) => rate);
    return [name, range(rates, 0), ...latencies, ...times, ...ratios];
  };
  const compared = peers.map((peer) => {
    const ratios = [({ rate }: Figures) => rate, cpu, ({ p99 }: Figures) => p99].map((of) =>
      range(
        peer.rounds.map((round, index) => of(service?.rounds[index] ?? round) / of(round)),
        2,
      ),
    );
    return row(peer, ratios);
  });
  return markdown([[title, ...heads], ...servers.slice(0, 1).map((it) => row(it, [])), ...compared]);
}

/** A Markdown table, aligned for the terminal. @param rows the heads of the columns, and then the rows; only the first column is text */
export function markdown(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0)));
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const aligned = (cells: string[]): string =>
    line(widths.map((width, index) => (cells[index] ?? '')[index === 0 ? 'padEnd' : 'padStart'](width)));
  const rule = line(widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return rows.map(aligned).toSpliced(1, 0, rule).join('\n');
}
