/** Pixels of the longer side of a photo, which is enough to read a label. */
const longestSide = 1600;

/**
 * Makes a photo smaller, as a JPEG without the data that the camera has added, such as the location.
 * @throws {DOMException} if the file is no image that the browser can read
 */
export async function shrink(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return blobOf(canvas, 'image/jpeg');
}

/** The picture on a canvas. */
export const blobOf = (canvas: HTMLCanvasElement, type: 'image/jpeg' | 'image/png'): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser cannot make the file.'))), type, 0.8);
  });
