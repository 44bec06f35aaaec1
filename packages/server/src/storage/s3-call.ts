import { storageErrorFrom } from './s3-errors.ts';
import type { S3Location } from './s3-url.ts';
import { StorageError } from './storage.ts';

/** A call that ends when S3 makes the service wait too long. Time in which the service waits for its client does not count. */
export interface S3Call {
  /** Runs the request. @throws {StorageError}, or the reason with which the call was ended */
  run<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T>;
  /** The service waits for S3 from now on. */
  wait(): void;
  /** S3 has accepted or sent something. */
  resume(): void;
  /** Closes the connection of a request that is not complete. */
  end(reason?: unknown): void;
  /** Is aborted when the call ends early. */
  signal: AbortSignal;
  errorFrom(error: unknown): StorageError;
}

/**
 * @param command the operation of S3, for error messages
 * @param timeout milliseconds that S3 may make the service wait
 */
export function startCall(command: string, location: S3Location, timeout: number): S3Call {
  const abort = new AbortController();
  const { signal } = abort;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  aborted.catch(() => {}); // `run` may have ended before
  let timer: NodeJS.Timeout | undefined;
  const call: S3Call = {
    signal,
    errorFrom: (error) => storageErrorFrom(error, command, location),
    wait() {
      clearTimeout(timer);
      const late = (): void =>
        call.end(call.errorFrom(new StorageError(`${command} failed: S3 did not respond within ${timeout} ms.`)));
      if (!signal.aborted) timer = setTimeout(late, timeout);
    },
    resume: () => clearTimeout(timer),
    end(reason) {
      clearTimeout(timer);
      abort.abort(reason);
    },
    async run(send) {
      call.wait();
      try {
        // The client does not observe the signal while it looks for credentials.
        return await Promise.race([send({ abortSignal: signal }), aborted]);
      } catch (error) {
        const reason = signal.aborted ? signal.reason : call.errorFrom(error);
        call.end(reason); // S3 may have refused a request that is not sent completely
        throw reason;
      } finally {
        call.resume();
      }
    },
  };
  return call;
}
