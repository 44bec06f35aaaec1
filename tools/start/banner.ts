import { relative } from 'node:path';
import { styleText } from 'node:util';

/** What `start` says when all is up. Colours only where the terminal shows them. */
export function banner(lines: Record<string, string>, walk: { text: string; file: string } | undefined): string {
  const width = Math.max(...Object.keys(lines).map((name) => name.length)) + 3;
  const rows = Object.entries(lines).map(([name, value]) => `  ${styleText('dim', name.padEnd(width))}${value}`);
  const parts = [styleText('bold', 'Waybill is ready.'), rows.join('\n')];
  if (walk) {
    const how = `From a new shipment to its proof of delivery. Paste this, or run:  sh ${here(walk.file)}`;
    parts.push(styleText('bold', how), walk.text.trimEnd());
  }
  parts.push(styleText('dim', 'Ctrl-C stops everything. The data stays for the next start.'));
  return `\n${parts.join('\n\n')}\n`;
}

/** A path as it can be typed where the user is. */
export function here(path: string): string {
  const short = relative(process.env.INIT_CWD ?? process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
