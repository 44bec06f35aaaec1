import type { Comparison, Figures } from './compare.ts';
import { table } from './table.ts';

/**
 * A Markdown page with a table for each comparison.
 * @param picture the file of the chart, which is beside the page
 */
export const page = (intro: string, comparisons: Comparison[], picture: string): string => `# Benchmarks

The service runs with everything on: authentication, validation, rate limits, log, idempotency keys. The other servers are written
by hand with Fastify and pg, without any of these.

${intro} The tables show medians, and in parentheses the lowest and the highest.

![Requests per second of each round: each dot is one round, each bar a median](${picture})

${comparisons.map((each) => `## ${titleOf(each)}\n\n${table(each)}\n`).join('\n')}`;

const titleOf = ({ operation, connections }: Comparison): string =>
  `${operation}, ${connections} connection${connections === 1 ? '' : 's'}`;

const [rowHeight, titleHeight, labelWidth, barWidth, width] = [26, 34, 230, 380, 720];

/** An SVG file: a bar for the median of each server, and a dot for each round. */
export function chart(comparisons: Comparison[]): string {
  let y = 0;
  const groups = comparisons.map((comparison) => {
    const { servers } = comparison;
    const highest = Math.max(...servers.flatMap(({ rounds }) => rounds.map(({ rate }) => rate)));
    const x = ({ rate }: Figures): number => labelWidth + Math.round((rate / highest) * barWidth);
    y += titleHeight;
    const title = `<text x="0" y="${y - 10}" class="title">${titleOf(comparison)}</text>`;
    const rows = servers.map(({ name, figures, rounds }, index) => {
      const middle = y + rowHeight / 2;
      y += rowHeight;
      const bar = `<rect x="${labelWidth}" y="${middle - 8}" width="${x(figures) - labelWidth}" height="16" rx="3" class="${index === 0 ? 'service' : 'peer'}"/>`;
      const dots = rounds.map((round) => `<circle cx="${x(round)}" cy="${middle}" r="3"/>`).join('');
      const text = (at: number, content: string): string => `<text x="${at}" y="${middle + 5}">${content}</text>`;
      return text(0, name) + bar + dots + text(labelWidth + barWidth + 14, `${Math.round(figures.rate)}/s`);
    });
    return [title, ...rows].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 10}" width="${width}" height="${y + 10}">
<title>Requests per second of the service and of servers written by hand</title>
<style>
svg { background: #fbfaf7; font: 14px system-ui, sans-serif; }
text { fill: #43536a; } .title { fill: #10233a; font-weight: 600; }
.service { fill: #ff7a1a; } .peer { fill: #b9c6d6; } circle { fill: #10233a; stroke: #fbfaf7; }
@media (prefers-color-scheme: dark) {
  svg { background: #0b1522; } text { fill: #b9c6d6; } .title { fill: #eef3f9; }
  .peer { fill: #43536a; } circle { fill: #eef3f9; stroke: #0b1522; }
}
</style>
${groups.join('\n')}
</svg>
`;
}
