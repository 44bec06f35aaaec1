import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type FieldError, fieldProblem, Problem } from '@waybill/http/problems';
import type { FileDigest } from '../storage/storage.ts';
import { headSize, imageType } from './image.ts';

export interface Declaration extends FileDigest {
  content_type: string;
}

/**
 * Yields the bytes of a file while it compares them with their declaration. The last chunk follows after the comparison, so
 * that no client has all bytes of another file. The request stays open, so that the service can respond.
 * @throws {Problem} payload_too_large as soon as there are more bytes than declared, file_mismatch at the end
 */
export async function* checkedBytes(body: Readable, declared: Declaration): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  let last: Buffer | undefined;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    if (size < headSize) head.push(chunk);
    size += chunk.length;
    if (size > declared.size) {
      throw new Problem('payload_too_large', `The file is larger than the declared ${declared.size} bytes.`);
    }
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  const mismatches: string[] = [];
  if (size !== declared.size) mismatches.push(`has ${size} bytes where ${declared.size} were declared`);
  const type = imageType(Buffer.concat(head));
  if (type !== declared.content_type) {
    mismatches.push(
      `is ${type ?? 'no image of an accepted type and size'} where ${declared.content_type} was declared`,
    );
  }
  if (!hash.digest().equals(declared.sha256)) mismatches.push('has another SHA-256 than declared');
  if (mismatches.length > 0) throw fieldProblem('file_mismatch', mismatches.map(mismatch));
  if (last) yield last;
}

/**
 * Compares bytes with the declaration of a file that is already stored.
 * @throws {Problem} file_conflict when they differ
 */
export async function compare(body: Readable, declared: Declaration): Promise<void> {
  try {
    for await (const _ of checkedBytes(body, declared));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem('file_conflict', 'Other bytes are already stored for this upload.');
  }
}

const mismatch = (detail: string): FieldError => ({ in: 'body', pointer: '', code: 'mismatch', detail });
