import type { Comparison } from './compare.ts';
import { table } from './table.ts';

/** A Markdown page with a chart and a table for each comparison. */
export const page = (intro: string, comparisons: Comparison[]): string => `# Benchmarks

The service runs with everything on: authentication, validation, rate limits, log, idempotency keys. The other servers are written
by hand with Fastify and pg, without any of these.

${intro}

${comparisons.map((each) => `## ${titleOf(each)}\n\n${chart(each)}\n\n${table(each)}\n`).join('\n')}`;

const titleOf = ({ operation, connections }: Comparison): string =>
  `${operation}, ${connections} connection${connections === 1 ? '' : 's'}`;

const [rowHeight, labelWidth, barWidth] = [26, 250, 360];

/** A bar chart of requests per second, as SVG on one line, so that Markdown leaves it unchanged. */
function chart(comparison: Comparison): string {
  const { servers } = comparison;
  const highest = Math.max(...servers.map(({ figures }) => figures.rate));
  const bars = servers.map(({ name, figures: { rate } }, index) => {
    const [y, width] = [index * rowHeight, Math.round((rate / highest) * barWidth)];
    const kind = index === 0 ? 'service' : 'peer'; // the style of the docs colors the service
    const text = (x: number, content: string) => `<text x="${x}" y="${y + 17}">${content}</text>`;
    const bar = `<rect x="${labelWidth}" y="${y + 3}" width="${width}" height="20" class="${kind}"/>`;
    return text(0, name) + bar + text(labelWidth + width + 6, rate.toFixed());
  });
  const label = `Requests per second: ${titleOf(comparison)}`;
  const size = `0 0 ${labelWidth + barWidth + 70} ${servers.length * rowHeight}`;
  return `<svg role="img" aria-label="${label}" viewBox="${size}">${bars.join('')}</svg>`;
}
