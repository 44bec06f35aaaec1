import type { Handler } from '../contract/operations.ts';
import { Problem } from '../problems.ts';
import { selectUpload, verifyUpload } from '../proof/queries.ts';
import { receive } from './receive.ts';
import { storageKey } from './storage.ts';

const gone = (): Problem => new Problem('not_found', 'There is nothing at this address.');

export const putProofFile: Handler<'putProofFile'> = async (
  { path, body },
  { db, links, storage, contentType, now },
) => {
  const { account, uploadId } = links.open('upload', path.upload_token, now);
  const upload = await selectUpload(db, account, uploadId);
  if (!upload) throw gone();
  if (contentType !== upload.content_type) {
    throw new Problem('unsupported_media_type', `The file was declared as ${upload.content_type}.`);
  }
  let received: string;
  try {
    received = await receive(storage, body, upload);
  } catch (error) {
    if (upload.verified_at && error instanceof Problem) {
      throw new Problem('file_conflict', 'The upload already holds other bytes.');
    }
    throw error;
  }
  // Whoever comes here has the same bytes, because the declared SHA-256 never changes: the last one may win.
  await storage.move(received, storageKey(account, uploadId));
  await verifyUpload(db, account, uploadId, now);
  return { status: 204, body: undefined };
};

export const getProofFile: Handler<'getProofFile'> = async ({ path }, { db, links, storage, now }) => {
  const { account, uploadId, expiresAt } = links.open('file', path.file_token, now);
  const upload = await selectUpload(db, account, uploadId);
  if (!upload?.bound_at) throw gone();
  const body = await storage.getStream(storageKey(account, uploadId));
  const maxAge = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return {
    status: 200,
    headers: {
      'cache-control': `private, max-age=${maxAge}, immutable`,
      'x-content-type-options': 'nosniff',
      'content-type': upload.content_type,
      'content-length': String(upload.size),
    },
    body,
  };
};
