/** An image of one pixel, or an empty page, for each type that the contract has. Its files have no examples. */
const files: Record<string, Buffer> = {
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
  'application/pdf': Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  ),
  'image/tiff': Buffer.from(
    'SUkqAAoAAAD/AAgAAAEEAAEAAAABAAAAAQEEAAEAAAABAAAAAgEEAAEAAAAIAAAAAwEEAAEAAAABAAAABgEEAAEAAAABAAAAEQEE' +
      'AAEAAAAIAAAAFgEEAAEAAAABAAAAFwEEAAEAAAABAAAAAAAAAA==',
    'base64',
  ),
};

/** Undefined for a type that no file has. */
export const fileOf = (contentType: string): Buffer | undefined => files[contentType];
