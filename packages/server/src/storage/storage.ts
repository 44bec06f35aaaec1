import type { Readable } from 'node:stream';

/** A stored file, open for reading. Read it or close it. */
export interface StoredFile {
  size: number;
  read(): Readable;
  close(): Promise<void>;
}

/** Where files are stored. A file is received under a name of its own first and stored under its key by `commit`. */
export interface Storage {
  /**
   * Receives bytes to the end and makes them durable. Leaves nothing behind when it fails.
   * @returns the name of the incoming file; commit or discard it
   */
  receive(bytes: AsyncIterable<Buffer>): Promise<string>;
  /** Stores an incoming file in one atomic and durable step. Discards it when that fails. */
  commit(name: string, key: string): Promise<void>;
  discard(name: string): Promise<void>;
  /** undefined when there is no such file */
  open(key: string): Promise<StoredFile | undefined>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
  /** What processes that ended in between have left, and what is being received. */
  listIncoming(): Promise<{ name: string; changedAt: Date }[]>;
}

/** Where an upload's verified bytes are stored. */
export const storageKey = (accountId: string, uploadId: string): string => `${accountId}/${uploadId}`;
