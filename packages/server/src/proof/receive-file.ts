import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type FieldError, fieldProblem, Problem } from '../http/problems.ts';
import type { Storage } from '../storage/storage.ts';
import { headSize, imageType } from './image.ts';

export interface Declaration {
  content_type: string;
  size: number;
  sha256: Buffer;
}

/**
 * Receives bytes as an incoming file and compares them with its declaration.
 * @returns the name of the incoming file
 * @throws {Problem} payload_too_large as soon as there are more bytes than declared, file_mismatch at the end
 */
export async function receive(storage: Storage, body: Readable, declared: Declaration): Promise<string> {
  const check = fileCheck(declared);
  const name = await storage.receive(check.pass(body));
  const mismatches = check.mismatches();
  if (mismatches.length === 0) return name;
  await storage.discard(name);
  throw fieldProblem('file_mismatch', mismatches.map(mismatch));
}

/**
 * Compares bytes with the declaration of a file that is already stored.
 * @throws {Problem} file_conflict when they differ
 */
export async function compare(body: Readable, declared: Declaration): Promise<void> {
  const check = fileCheck(declared);
  const conflict = new Problem('file_conflict', 'Other bytes are already stored for this upload.');
  try {
    for await (const _ of check.pass(body));
  } catch (error) {
    throw error instanceof Problem ? conflict : error;
  }
  if (check.mismatches().length > 0) throw conflict;
}

interface FileCheck {
  /** Yields the bytes. The request stays open, so that the service can respond. */
  pass(body: Readable): AsyncIterable<Buffer>;
  /** Call it after the last byte: how the bytes differ from the declaration. */
  mismatches(): string[];
}

function fileCheck(declared: Declaration): FileCheck {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  return {
    async *pass(body) {
      for await (const chunk of body.iterator({ destroyOnReturn: false })) {
        if (size < headSize) head.push(chunk);
        size += chunk.length;
        if (size > declared.size) {
          throw new Problem('payload_too_large', `The file is larger than the declared ${declared.size} bytes.`);
        }
        hash.update(chunk);
        yield chunk;
      }
    },
    mismatches() {
      const found: string[] = [];
      if (size !== declared.size) found.push(`has ${size} bytes where ${declared.size} were declared`);
      const type = imageType(Buffer.concat(head));
      if (type !== declared.content_type) {
        found.push(`is ${type ?? 'no image of an accepted type and size'} where ${declared.content_type} was declared`);
      }
      if (!hash.digest().equals(declared.sha256)) found.push('has another SHA-256 than declared');
      return found;
    },
  };
}

const mismatch = (detail: string): FieldError => ({ in: 'body', pointer: '', code: 'mismatch', detail });
