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
import { type S3Call, startCall } from './s3-call.ts';
import type { S3Location } from './s3-url.ts';
import type { Storage, StoredFile } from './storage.ts';

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
