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

const setRegion = 'Set the region of the bucket in the URL, as region=eu-central-1';

/** Errors of S3 and of its client: what to do about them. */
const remedies: Record<string, (location: S3Location) => string> = {
  AccessDenied: ({ bucket, prefix }) =>
    `Allow s3:PutObject, s3:GetObject and s3:DeleteObject on arn:aws:s3:::${bucket}/${prefix}*`,
  AuthorizationHeaderMalformed: () => setRegion,
  CredentialsProviderError: () => 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use a role',
  ExpiredToken: () => 'Renew AWS_SESSION_TOKEN',
  InvalidAccessKeyId: () => 'Correct AWS_ACCESS_KEY_ID',
  InvalidToken: () => 'Correct AWS_SESSION_TOKEN',
  NoSuchBucket: ({ bucket }) => `Create the bucket ${bucket} or choose another`,
  PermanentRedirect: () => setRegion,
  RequestTimeTooSkewed: () => 'Correct the clock of this machine',
  SignatureDoesNotMatch: () => 'Correct AWS_SECRET_ACCESS_KEY',
};

/**
 * Returns the error of a call with what to do about it, and without what the client adds to it, such as the signed request
 * and its session token.
 */
export function storageErrorFrom(error: unknown, command: string, location: S3Location): StorageError {
  if (error instanceof StorageError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  // After attempts to several IP addresses, Node leaves the message empty.
  const systemCode = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason = systemCode ? message || systemCode : `${name}: ${message}`;
  const remedy =
    message === 'Region is missing' ? setRegion : (remedies[name]?.(location) ?? 'Check the endpoint and the network');
  return new StorageError(`${command} failed: ${reason.replace(/\.$/, '')}. ${remedy}`);
}
