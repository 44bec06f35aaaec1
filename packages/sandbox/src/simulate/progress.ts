import type { WriteStream } from 'node:tty';
import { statuses } from '@waybill/contract/lifecycle';
import type { Tally } from './tally.ts';

/** Milliseconds between two updates: on a terminal, and in a log. */
const [terminalInterval, logInterval] = [200, 5_000];

/** Prints the tally until the returned function is called: a changing line on a terminal, else a line every 5 s. */
export function showProgress(tally: Tally, output: WriteStream): () => void {
  const start = Date.now();
  const show = (): void => {
    const seconds = Math.round((Date.now() - start) / 1000);
    const line = `${String(seconds).padStart(4)} s  ${statusCounts(tally)}  ${tally.requests} requests`;
    if (output.isTTY) output.write(`\r\x1b[2K${line.slice(0, output.columns - 1)}`);
    else output.write(`${line}\n`);
  };
  const timer = setInterval(show, output.isTTY ? terminalInterval : logInterval);
  return () => {
    clearInterval(timer);
    if (output.isTTY) output.write('\r\x1b[2K');
  };
}

function statusCounts(tally: Tally): string {
  return Object.keys(statuses)
    .map((status) => `${status} ${tally.statuses[status] ?? 0}`)
    .join(', ');
}

/** The final report. */
export function summary(tally: Tally): string {
  const { requests, replays, positions, expectedErrors, failedAttempts } = tally;
  const errors = [...tally.errors].map(([message, times]) => `  ${times} × ${message}`);
  const total = [...tally.errors.values()].reduce((sum, times) => sum + times, 0);
  return [
    `Shipments: ${statusCounts(tally)}`,
    `Requests: ${requests}, of which ${replays} replayed, ${expectedErrors} rejected as expected, ${failedAttempts} retried`,
    `Positions: ${positions}`,
    `Errors: ${total}`,
    ...errors.slice(0, 20),
  ].join('\n');
}
