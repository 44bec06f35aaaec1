/** One pixel each: real files, as small as they come. */
export const png = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  );

/** A PNG of that pixel with a text chunk's worth of bytes after it, so that every one is a different file. */
export function uniquePng(seed: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([png(), Buffer.from(seed)]));
}
