import type { Readable } from 'node:stream';

/** A stored file, open for reading. Call `read` or `close`. */
export interface StoredFile {
  size: number;
  read(): Readable;
  close(): Promise<void>;
}

/** Stores files. A file is received under a temporary name, and stored under its key by `commit`. */
export interface Storage {
  /**
   * Receives all bytes and makes them durable. Removes them when it fails.
   * @returns the name of the incoming file; commit or discard it
   */
  receive(bytes: AsyncIterable<Buffer>): Promise<string>;
  /** Stores an incoming file in one atomic and durable step. Discards it when that fails. */
  commit(name: string, key: string): Promise<void>;
  discard(name: string): Promise<void>;
  /** Resolves to undefined when there is no such file. */
  open(key: string): Promise<StoredFile | undefined>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
  /** Lists the files that are being received, or that a stopped process left unfinished. */
  listIncoming(): Promise<{ name: string; changedAt: Date }[]>;
}

/** Returns the key under which the verified bytes of an upload are stored. */
export const storageKey = (accountId: string, uploadId: string): string => `${accountId}/${uploadId}`;
