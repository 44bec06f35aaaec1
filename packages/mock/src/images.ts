/** An image of one pixel for each type that the contract has. Its files have no examples. */
const images: Record<string, Buffer> = {
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/jpeg': Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////' +
      '////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////' +
      '////////////wAARCAABAAEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAU' +
      'AQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==',
    'base64',
  ),
  'image/webp': Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAABQAQCdASoBAAEAB0CWJaQABHQAAAAAAAA=', 'base64'),
};

/** Undefined for a type that is no image. */
export const pixel = (contentType: string): Buffer | undefined => images[contentType];
