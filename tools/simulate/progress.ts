import type { WriteStream } from 'node:tty';
import { statuses } from '@waybill/contract/lifecycle';
import type { Tally } from './tally.ts';

/** Milliseconds between two looks: on a terminal, and in a log. */
const [often, seldom] = [200, 5_000];

/** Shows what happens until the returned function is called: one line that changes on a terminal, else a line now and then. */
export function showProgress(tally: Tally, output: WriteStream): () => void {
  const start = Date.now();
  const show = (): void => {
    const seconds = Math.round((Date.now() - start) / 1000);
    const line = `${String(seconds).padStart(4)} s  ${standing(tally)}  ${tally.requests} requests`;
    if (output.isTTY) output.write(`\r\x1b[2K${line.slice(0, output.columns - 1)}`);
    else output.write(`${line}\n`);
  };
  const timer = setInterval(show, output.isTTY ? often : seldom);
  return () => {
    clearInterval(timer);
    if (output.isTTY) output.write('\r\x1b[2K');
  };
}

function standing(tally: Tally): string {
  return Object.keys(statuses)
    .map((status) => `${status} ${Object.entries(tally.statuses).find(([name]) => name === status)?.[1] ?? 0}`)
    .join(', ');
}

/** What happened, in a few lines. */
export function summary(tally: Tally): string {
  const { requests, replays, positions, refused, unanswered, faults } = tally;
  const errors = [...faults].map(([what, times]) => `  ${times} × ${what}`);
  const total = [...faults.values()].reduce((sum, times) => sum + times, 0);
  return [
    `Shipments: ${standing(tally)}`,
    `Requests: ${requests}, of them ${replays} replayed, ${refused} refused as they should, ${unanswered} without an answer`,
    `Positions: ${positions}`,
    `Errors: ${total}`,
    ...errors.slice(0, 20),
  ].join('\n');
}
