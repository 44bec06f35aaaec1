import { once } from 'node:events';
import sonicBoom from 'sonic-boom';
import type { LogDestination } from '../app.ts';
import { withTimeLimit } from '../concurrency/time-limit.ts';

/**
 * Lines are written together: as soon as they have 16,000 characters, and after 100 ms. Requests do not wait for a slow
 * reader of the log: lines beyond 16 million characters are dropped.
 */
const logBuffer = { minLength: 16_000, periodicFlush: 100, maxLength: 16_000_000 };

/** Milliseconds that the last lines may take. A reader that has stopped would keep the process running. */
const closeTimeout = 1_000;

/**
 * Opens standard output for the log. While it cannot be written, because its reader has ended or its disk is full, the service
 * goes on: lines are dropped and counted, and each flush tries again.
 * @param warn gets one sentence when it can no longer be written
 */
export function openLog(fd: number, warn: (message: string) => void): Required<LogDestination> & AsyncDisposable {
  const stream = new sonicBoom.SonicBoom({ fd, sync: false, ...logBuffer });
  let dropped = 0;
  let isFailing = false;
  let isClosed = false;
  stream.on('drop', () => dropped++);
  stream.on('drain', () => {
    isFailing = false;
  });
  stream.on('error', (error: Error) => {
    if (!isFailing) warn(`The log cannot be written (${error.message}). Its lines are dropped until it can.`);
    isFailing = true;
  });
  return {
    write(line) {
      if (isFailing || isClosed) dropped++;
      else stream.write(line);
    },
    dropped: () => dropped,
    async [Symbol.asyncDispose]() {
      const ended = once(stream, 'close').catch(() => {}); // rejected by an error
      stream.end();
      await withTimeLimit(ended, closeTimeout, () => {});
      isClosed = true;
    },
  };
}
