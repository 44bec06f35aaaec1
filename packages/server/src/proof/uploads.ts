import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { lifecycle } from '@waybill/contract/lifecycle';
import { statusesBefore } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { chunkLimit, smallChunks } from '@waybill/http/chunk-limit';
import type { ResponseOf } from '@waybill/http/operations';
import { type FieldError, fieldProblem, Problem } from '@waybill/http/problems';
import { publicId, uuidFromPublicId } from '../database/identifiers.ts';
import { measure } from '../operations/admission.ts';
import type { PartReader } from './file-parts.ts';

/** Milliseconds after its creation in which an upload whose bytes have arrived can become part of a proof or an exception. Then clean-up removes it. */
export const uploadLife: number = 24 * 60 * 60 * 1000;

/** The same for its bytes to arrive. */
export const unfinishedLife: number = 60 * 60 * 1000;

/** Uploads by one access, or by keys, that can still become part of a proof or an exception of a shipment. A proof has a signature and `photos.maxItems` of them. */
export const maxUnboundUploads = 20;

/** The same with those that were removed, in `unfinishedLife`: their bytes are stored until clean-up. */
export const maxRecentUploads = 40;

/** @param until when the first of those that count ends */
export function uploadLimitReached(limit: number, until: Date, now: Date): Problem {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  const detail =
    limit === maxRecentUploads
      ? `This caller has created ${limit} files of the shipment in an hour.`
      : `The shipment has ${limit} files of this caller that are not part of a proof or an exception.`;
  return new Problem('upload_limit_reached', detail, {}, { 'Retry-After': String(Math.max(1, seconds)) });
}

/** What is known of a file before it arrives. */
export interface Declaration {
  content_type: string;
  size: number;
  sha256: Buffer;
}

type Transfer = Parameters<typeof measure>[0] & { socket: { bytesRead: number } };

/** Bytes that are stored at a time. */
const chunkSize = 65_536;

/**
 * Yields the bytes of a file while it compares them with their declaration. The last chunk follows after the comparison, so
 * that no client has all bytes of another file. The request stays open, so that the service can respond.
 * @param file reads the file; undefined for one that was read before, of which the SHA-256 is enough
 * @throws {Problem} payload_too_large as soon as there are more bytes than declared, malformed_request for too many small
 * pieces, file_mismatch at the end
 */
export async function* checkedBytes(
  body: Readable,
  declared: Declaration,
  request: Transfer,
  file?: PartReader,
): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  const areTooSmall = chunkLimit(request);
  let pieces: Buffer[] = [];
  let [size, passed] = [0, 0];
  for await (const piece of body.iterator({ destroyOnReturn: false })) {
    if (size - passed >= chunkSize) {
      yield Buffer.concat(pieces);
      [pieces, passed] = [[], size];
    }
    pieces.push(piece);
    size += piece.length;
    if (size > declared.size) {
      throw new Problem('payload_too_large', `The file is larger than the declared ${declared.size} bytes.`);
    }
    if (areTooSmall(piece)) throw smallChunks();
    measure(request, () => {
      hash.update(piece);
      file?.read(piece);
    });
  }
  const mismatches: string[] = [];
  if (size !== declared.size) mismatches.push(`has ${size} bytes where ${declared.size} were declared`);
  const error = file?.error();
  if (error) mismatches.push(error);
  if (!hash.digest().equals(declared.sha256)) mismatches.push('has another SHA-256 than declared');
  if (mismatches.length > 0) throw fieldProblem('file_mismatch', mismatches.map(mismatch));
  if (size > passed) yield Buffer.concat(pieces);
}

/**
 * Compares bytes with the declaration of a file that is already stored.
 * @throws {Problem} file_conflict when they differ
 */
export async function compare(body: Readable, declared: Declaration, request: Transfer): Promise<void> {
  try {
    for await (const _ of checkedBytes(body, declared, request));
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'malformed_request') throw error;
    throw new Problem('file_conflict', 'Other bytes are already stored for this upload.');
  }
}

const mismatch = (detail: string): FieldError => ({ in: 'body', pointer: '', code: 'mismatch', detail });

/**
 * The headers of a file that a signed URL leads to.
 * @param uploadId a uuid
 * @param expiresAt when the URL expires
 */
export function fileHeaders(
  { uploadId, content_type, size }: { uploadId: string; content_type: string; size: number },
  expiresAt: Date,
  now: Date,
): ResponseOf<'getProofFile'>['headers'] {
  const maxAge = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  const [, subtype = ''] = content_type.split('/');
  const extension = subtype.replace('jpeg', 'jpg');
  const disposition = imageTypes.includes(content_type) ? 'inline' : 'attachment';
  return {
    'cache-control': `private, max-age=${maxAge}, immutable`,
    'content-disposition': `${disposition}; filename="${publicId('upl', uploadId)}.${extension}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'content-type': content_type,
    'content-length': String(size),
  };
}

/** The types that browsers show. Only a document has another one. */
const imageTypes: string[] = ['image/png', 'image/jpeg', 'image/webp'];
/** Maximum bytes of a signature or a photo. The contract has that of documents. */
const maxImageBytes = 10 * 1024 * 1024;

/** The ends with a proof, which may follow later, and the statuses before them. All exceptions are raised in some of these. */
const provable = new Set(
  (Object.keys(lifecycle) as Status[]).flatMap((status) =>
    lifecycle[status].operations.includes('submitProofOfDelivery') ? [status, ...statusesBefore(status)] : [],
  ),
);

/**
 * Requires that a file of its kind may be uploaded. A document may in every status.
 * @throws {Problem} invalid_request, uploads_not_accepted
 */
export function requireUploadable({ kind, content_type, size }: Schemas['ProofUploadRequest'], status: Status): void {
  if (kind === 'document') return;
  const errors: FieldError[] = [];
  const field = (name: string, code: FieldError['code'], detail: string): void =>
    void errors.push({ in: 'body', pointer: `/${name}`, code, detail });
  if (!imageTypes.includes(content_type)) field('content_type', 'not_allowed', `is not possible for a ${kind}`);
  if (size > maxImageBytes) field('size', 'out_of_range', `must be at most ${maxImageBytes} for a ${kind}`);
  if (errors.length > 0) throw fieldProblem('invalid_request', errors);
  if (provable.has(status)) return;
  throw new Problem('uploads_not_accepted', `A shipment that is ${status} accepts only documents.`, {
    current_status: status,
  });
}

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];
type FileKind = Schemas['FileKind'];
export type Files = Partial<Pick<Schemas['ProofOfDeliveryRequest'], 'signature' | 'photos'>> & { document?: string };

interface NamedUpload {
  kind: FileKind;
  /** A uuid. */
  id: string;
  /** Where the body names it. */
  pointer: string;
}

/** The uploads that a proof, an exception or a document names. */
export const uploadsOf = ({ signature, photos = [], document }: Files): NamedUpload[] => [
  ...(document === undefined ? [] : [named('document', document, '/upload_id')]),
  ...(signature === undefined ? [] : [named('signature', signature, '/signature')]),
  ...photos.map((id, index) => named('photo', id, `/photos/${index}`)),
];

const named = (kind: FileKind, uploadId: string, pointer: string): NamedUpload => ({
  kind,
  id: uuidFromPublicId('upl', uploadId),
  pointer,
});

/**
 * Requires that the files of a proof or of an exception can be used for it.
 * @throws {Problem} unknown_upload
 */
export function requireUploads(files: Files, usable: Pick<NamedUpload, 'id' | 'kind'>[]): void {
  const errors = uploadsOf(files)
    .filter(({ id, kind }) => !usable.some((upload) => upload.id === id && upload.kind === kind))
    .map(({ kind, pointer }): FieldError => {
      const detail = `is not a verified, unused ${kind} of this shipment`;
      return { in: 'body', pointer, code: 'unknown_upload', detail };
    });
  if (errors.length > 0) throw fieldProblem('unknown_upload', errors);
}

export const noFile = (): Problem => new Problem('not_found', 'There is nothing at this URL.');
