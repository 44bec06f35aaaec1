import { pipeline, type Readable, Transform } from 'node:stream';
import { Problem } from '@waybill/http/problems';
import { orTooSlow } from '../concurrency/time-limit.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import type { Links } from '../operations/signed-urls.ts';
import { type StoredFile, storageKey } from '../storage/storage.ts';
import { readFile } from './file-parts.ts';
import { findUpload, type Upload, verifyUpload } from './queries.ts';
import { checkedBytes, compare, fileHeaders, noFile } from './uploads.ts';

/** The account of the file that the path of a request names; undefined when its token is not valid. */
export const accountOfFile =
  (links: Links) =>
  ({ upload_token, file_token }: { upload_token?: string; file_token?: string }): string | undefined =>
    upload_token === undefined ? links.accountOf('file', file_token ?? '') : links.accountOf('upload', upload_token);

/** The operations on the files of proofs of delivery. They wait for the database before and after the bytes. */
export function fileHandlers({
  database,
  executionTimeout,
  links,
  storage,
}: Pick<Services, 'database' | 'executionTimeout' | 'links' | 'storage'>): Pick<
  Handlers,
  'putProofFile' | 'getProofFile'
> {
  const find = (accountId: string, id: string): ReturnType<typeof findUpload> =>
    orTooSlow(findUpload(database.ofAccount(accountId), accountId, id), executionTimeout);
  const verify = (accountId: string, id: string, now: Date): Promise<boolean> =>
    orTooSlow(verifyUpload(database.ofAccount(accountId), accountId, id, now), executionTimeout);

  return {
    async putProofFile({ path, body }, { contentType, now, request }) {
      const { accountId, uploadId } = links.open('upload', path.upload_token, now);
      const upload = await find(accountId, uploadId);
      if (!upload || (!upload.verified_at && upload.ends_at <= now)) throw noFile();
      if (contentType !== upload.content_type) {
        throw new Problem('unsupported_media_type', `The file was declared as ${upload.content_type}.`);
      }
      if (upload.verified_at) {
        await compare(body, upload, request);
        return { status: 204, body: undefined };
      }
      // Concurrent requests store the same bytes, because the declared SHA-256 never changes.
      const bytes = checkedBytes(body, upload, request, readFile(contentType));
      await storage.store(storageKey(accountId, uploadId), bytes, upload);
      // The account may be disabled since the bytes began to arrive.
      if (!(await verify(accountId, uploadId, now))) throw noFile();
      return { status: 204, body: undefined };
    },

    async getProofFile({ path }, { log, now }) {
      const { accountId, uploadId, expiresAt } = links.open('file', path.file_token, now);
      const upload = await find(accountId, uploadId);
      if (!upload?.bound_at) throw noFile();
      const file = await storage.open(storageKey(accountId, uploadId));
      if (file?.size !== upload.size) {
        await file?.close();
        throw new DamagedFile(upload, file?.size ?? 'no');
      }
      return {
        status: 200,
        headers: fileHeaders({ uploadId, ...upload }, expiresAt, now),
        body: checkedStream(file, upload, (error) => log.error({ err: error }, error.message)),
      };
    },
  };
}

/** The stored file has another size than the one that was verified. */
class DamagedFile extends Error {
  readonly accountId: string;
  readonly uploadId: string;

  constructor({ account_id, id, size }: Upload, found: number | string) {
    super(`A stored file has ${found} bytes instead of ${size}`);
    this.accountId = account_id;
    this.uploadId = id;
  }
}

/** Streams the bytes of a file. Fails when there are fewer, so that the connection is destroyed. */
function checkedStream(file: StoredFile, upload: Upload, report: (error: Error) => void): Readable {
  let sent = 0;
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      done(null, chunk);
    },
    flush: (done) => done(sent === upload.size ? null : new DamagedFile(upload, sent)),
  });
  return pipeline(file.read(), bytes, (error) => {
    const isClientGone = error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (error && !isClientGone) report(error);
  });
}
