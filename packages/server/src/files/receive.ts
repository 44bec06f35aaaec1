import { createHash, randomUUID } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { type FieldError, fieldProblem, Problem } from '../problems.ts';
import { incoming, type Storage } from './storage.ts';

export interface Declaration {
  content_type: string;
  size: number;
  sha256: Buffer;
}

/** file-type needs no more than this to know an image. */
const headLength = 4100;

/**
 * Streams bytes into a place of their own and checks them against what was declared.
 * @returns the key of the stored bytes; whoever called moves or deletes it
 * @throws {Problem} payload_too_large as soon as there are more bytes than declared, file_mismatch at the end
 */
export async function receive(storage: Storage, body: Readable, declared: Declaration): Promise<string> {
  const key = `${incoming}/${randomUUID()}`;
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > declared.size) {
        return done(new Problem('payload_too_large', `The file is larger than the declared ${declared.size} bytes.`));
      }
      hash.update(chunk);
      if (head.length < headLength) head = Buffer.concat([head, chunk]).subarray(0, headLength);
      done(null, chunk);
    },
  });
  body.on('error', (error) => meter.destroy(error));
  try {
    await storage.putStream(key, body.pipe(meter));
    const faults: string[] = [];
    if (size !== declared.size) faults.push(`has ${size} bytes where ${declared.size} were declared`);
    const type = (await fileTypeFromBuffer(head))?.mime;
    if (type !== declared.content_type) {
      faults.push(`is ${type ?? 'no image that is known'} where ${declared.content_type} was declared`);
    }
    if (!hash.digest().equals(declared.sha256)) faults.push('has another SHA-256 than was declared');
    if (faults.length > 0) throw fieldProblem('file_mismatch', faults.map(fault));
    return key;
  } catch (error) {
    await storage.delete(key).catch(() => {});
    throw meter.errored instanceof Problem ? meter.errored : error;
  }
}

const fault = (detail: string): FieldError => ({ in: 'body', pointer: '', code: 'mismatch', detail });
