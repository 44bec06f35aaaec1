import type { Readable } from 'node:stream';

/** A stored file, open for reading. Call `read` or `close`. */
export interface StoredFile {
  size: number;
  read(): Readable;
  close(): Promise<void>;
}

/** What is known of a file before it arrives. */
interface FileDigest {
  size: number;
  sha256: Buffer;
}

/** Stores files. Several instances can share a storage. */
export interface Storage {
  /**
   * Stores a file under its key in one atomic and durable step, at the end of its bytes. Stores nothing when `bytes`
   * throws.
   * @param bytes as many as the digest states: the last ones may not come before all are known to be valid
   * @throws {StorageError} and what `bytes` throws
   */
  store(key: string, bytes: AsyncIterable<Buffer>, digest: FileDigest): Promise<void>;
  /** Resolves to undefined when there is no such file. */
  open(key: string): Promise<StoredFile | undefined>;
  /** Ignores keys without a file. */
  delete(keys: string[]): Promise<void>;
  /**
   * Removes what stopped processes left of files that they were receiving.
   * @param before leaves files alone that have changed since then
   * @returns their number
   */
  removeUnfinished(before: Date, maximum: number): Promise<number>;
  /** Writes, reads and removes a file. @throws an error whose message states what is wrong and what to do */
  checkWritable(): Promise<void>;
}

/** The storage does not respond, or refuses what a request needs. The message contains no credentials. */
export class StorageError extends Error {
  readonly code = 'STORAGE_UNAVAILABLE';
}

/** Returns the key under which the verified bytes of an upload are stored. */
export const storageKey = (accountId: string, uploadId: string): string => `${accountId}/${uploadId}`;
