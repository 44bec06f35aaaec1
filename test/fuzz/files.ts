import { createHash } from 'node:crypto';
import { png } from '../harness/images.ts';

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** One pixel of each type that the contract names. */
const pixels: Record<string, Uint8Array> = {
  'image/png': png(),
  'image/jpeg': base64(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  ),
  'image/webp': base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
};

export interface ImageFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** An image with `trailing` bytes after it, so that it is a file of its own and of any size up to `largest`. @throws for an unknown type */
export function imageFile(contentType: string, trailing: Uint8Array, largest: number): ImageFile {
  const pixel = pixels[contentType];
  if (!pixel) throw new Error(`Teach the fuzzer a file of type ${contentType}: test/fuzz/files.ts`);
  return { contentType, bytes: Uint8Array.from(Buffer.concat([pixel, trailing]).subarray(0, largest)) };
}

/** What a file is declared as. */
export const declarationOf = ({ bytes, contentType }: ImageFile) => ({
  content_type: contentType,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});
