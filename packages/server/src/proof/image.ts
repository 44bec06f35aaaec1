import { imageDimensionsFromData } from 'image-dimensions';

/** The dimensions of an image must be within this many bytes. In a JPEG, long metadata can precede them. */
export const headSize: number = 1024 * 1024;

/** The largest width and height of an image, in pixels. */
const maxSide = 16_384;

/**
 * The content type of an image, from its header.
 * @returns undefined when it is not an image, or its dimensions are not 1 to 16384 pixels
 */
export function imageType(head: Buffer): string | undefined {
  // AVIF and HEIC are not accepted, and reading their boxes takes more than one pass over the bytes.
  if (head.toString('latin1', 4, 8) === 'ftyp') return undefined;
  const image = imageDimensionsFromData(head.subarray(0, headSize));
  const isAllowed = (side: number): boolean => side >= 1 && side <= maxSide;
  return image && isAllowed(image.width) && isAllowed(image.height) ? `image/${image.type}` : undefined;
}
