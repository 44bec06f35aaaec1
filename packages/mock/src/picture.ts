/** The file that the mock sends for every signature and photo: one grey pixel. A contract cannot hold bytes. */
export const picture: { type: string; bytes: Buffer } = {
  type: 'image/png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
};
