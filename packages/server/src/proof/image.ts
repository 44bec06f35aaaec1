import { imageDimensionsFromData } from 'image-dimensions';

/** How many bytes an image's dimensions are searched in. The metadata that a JPEG has before them can be long. */
export const headSize: number = 1024 * 1024;

/** The largest width and height of an image, in pixels. */
const maxSide = 16_384;

/**
 * The content type of an image, by its decoded header.
 * @returns undefined when it is no image, or its dimensions are not 1 to 16384 pixels
 */
export function imageType(head: Buffer): string | undefined {
  // AVIF and HEIC are not accepted, and reading their boxes takes more than one pass over the bytes.
  if (head.toString('latin1', 4, 8) === 'ftyp') return undefined;
  const image = imageDimensionsFromData(head.subarray(0, headSize));
  const isAllowed = (side: number): boolean => side >= 1 && side <= maxSide;
  return image && isAllowed(image.width) && isAllowed(image.height) ? `image/${image.type}` : undefined;
}
