import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { S3Location } from './s3-url.ts';
import { type Storage, StorageError, type StoredFile } from './storage.ts';

const ignore = (): void => {};

const agent = {
  // A connection belongs to a request, and MAX_CONNECTIONS limits those. With a smaller limit, slow clients would block others.
  maxSockets: Number.POSITIVE_INFINITY,
  // Milliseconds: idle connections are closed before S3 closes them, because an upload cannot be sent again.
  timeout: 3000,
};

/** Credentials come from the default chain of the AWS SDK: variables AWS_*, profiles and roles. */
const clientConfig = ({ region, endpoint }: S3Location): S3ClientConfig => ({
  ...(region && { region }),
  ...(endpoint && { endpoint, forcePathStyle: true }), // other servers have no host name for each bucket
  // The client would write to standard error. Errors are logged with their request.
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  requestHandler: { httpAgent: agent, httpsAgent: agent },
  expectContinueHeader: false, // it would open a connection for each upload
  // Other servers do not know the checksums that AWS requests by default. Uploads have one of their own.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

/**
 * Opens the storage in a bucket. A file is one PutObject that states its length: S3 stores it when the last byte has
 * arrived, and nothing when the connection is closed before.
 */
export function openBucket(location: S3Location, timeout: number): Storage {
  const client = new S3Client(clientConfig(location));
  const start = (command: string): S3Call => startCall(command, location, timeout);
  const objectOf = (key: string): { Bucket: string; Key: string } => ({
    Bucket: location.bucket,
    Key: location.prefix + key,
  });

  const storage: Storage = {
    async store(key, bytes, { size, sha256 }) {
      const call = start('PutObject');
      const body = Readable.from(sent(bytes, call), { objectMode: false });
      body.on('error', call.end);
      const ChecksumSHA256 = sha256.toString('base64');
      const command = new PutObjectCommand({ ...objectOf(key), Body: body, ContentLength: size, ChecksumSHA256 });
      try {
        await call.run((options) => client.send(command, options));
      } finally {
        body.destroy();
      }
    },
    async open(key) {
      const call = start('GetObject');
      const object = await call.run((options) =>
        client.send(new GetObjectCommand(objectOf(key)), options).catch(undefinedIfMissing),
      );
      return object && fileFrom(object.Body as Readable, object.ContentLength ?? 0, call);
    },
    async delete(keys) {
      const remove = (key: string): Promise<unknown> =>
        start('DeleteObject').run((options) => client.send(new DeleteObjectCommand(objectOf(key)), options));
      await Promise.all(keys.map(remove));
    },
    removeUnfinished: async () => 0, // S3 removes them
    async checkWritable() {
      const key = `write-test-${randomUUID()}`;
      const bytes = Buffer.from('x');
      const sha256 = createHash('sha256').update(bytes).digest();
      await storage.store(key, Readable.from([bytes]), { size: bytes.length, sha256 });
      const file = await storage.open(key).finally(() => storage.delete([key]));
      await file?.close();
    },
  };
  return storage;
}

/** Passes the bytes to S3. */
async function* sent(bytes: AsyncIterable<Buffer>, call: S3Call): AsyncIterable<Buffer> {
  call.resume();
  for await (const chunk of bytes) {
    call.wait();
    yield chunk;
    call.resume();
  }
  call.wait();
}

function fileFrom(body: Readable, size: number, call: S3Call): StoredFile {
  call.signal.addEventListener('abort', () => body.destroy(call.signal.reason));
  return {
    size,
    read: () => Readable.from(received(body, call), { objectMode: false }),
    close: async () => call.end(),
  };
}

/** Passes the bytes of an object to the client. */
async function* received(body: Readable, call: S3Call): AsyncIterable<Buffer> {
  try {
    call.wait();
    for await (const chunk of body) {
      call.resume();
      yield chunk;
      call.wait();
    }
  } catch (error) {
    throw body.errored ? call.errorFrom(error) : error; // the client may have disconnected
  } finally {
    call.end();
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof NoSuchKey)) throw error;
}

/** A call that ends when S3 makes the service wait too long. Time in which the service waits for its client does not count. */
interface S3Call {
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
function startCall(command: string, location: S3Location, timeout: number): S3Call {
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
function storageErrorFrom(error: unknown, command: string, location: S3Location): StorageError {
  if (error instanceof StorageError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  // After attempts to several IP addresses, Node leaves the message empty.
  const systemCode = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason = systemCode ? message || systemCode : `${name}: ${message}`;
  const remedy =
    message === 'Region is missing' ? setRegion : (remedies[name]?.(location) ?? 'Check the endpoint and the network');
  return new StorageError(`${command} failed: ${reason.replace(/\.$/, '')}. ${remedy}`);
}
