type Bytes = Uint8Array<ArrayBuffer>;

const decoded = (base64: string): Bytes => Uint8Array.from(Buffer.from(base64, 'base64'));

/** One pixel each: real files, as small as they come. */
export const png = (): Bytes =>
  decoded('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');

const jpeg = (): Bytes =>
  decoded(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////' +
      '////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////' +
      '////////////wAARCAABAAEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAU' +
      'AQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==',
  );

const webp = (): Bytes => decoded('UklGRiQAAABXRUJQVlA4IBgAAABQAQCdASoBAAEAB0CWJaQABHQAAAAAAAA=');

/** An image of each type that a proof takes. */
export const images = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp };

/** A PNG of that pixel with a text chunk's worth of bytes after it, so that every one is a different file. */
export function uniquePng(seed: string): Bytes {
  return Uint8Array.from(Buffer.concat([png(), Buffer.from(seed)]));
}
