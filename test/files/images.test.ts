import { imageType } from '@waybill/server/proof/image';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { images } from '../fixtures/images.ts';

const types = Object.keys(images) as (keyof typeof images)[];

test.for(types)('imageType recognises %s, also after 900 KiB of metadata in a JPEG', (type) => {
  const bytes = Buffer.from(images[type]());
  expect(imageType(bytes)).toBe(type);
  if (type !== 'image/jpeg') return;
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(65_533, 1)]);
  expect(imageType(Buffer.concat([bytes.subarray(0, 2), ...Array(14).fill(segment), bytes.subarray(2)]))).toBe(type);
});

test.for([
  ['fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(1024 * 1024, 0xff)])],
  [
    'empty segments',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1024 * 1024, Buffer.from([0xff, 0xe1, 0, 0]))]),
  ],
  ['boxes of no size', Buffer.concat([Buffer.from('\0\0\0\x10ftypavif\0\0\0\0'), Buffer.alloc(1024 * 1024)])],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
] as const)('imageType returns undefined or another type for %s', ([, bytes]) => {
  expect(types).not.toContain(imageType(bytes));
});

test('imageType returns a result for every changed, cut or extended image header', () => {
  const change = fc.tuple(fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 8 }));
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.array(change, { maxLength: 6 }), fc.nat(300), (type, changes, length) => {
      const bytes = Buffer.from(images[type]());
      for (const [at, values] of changes)
        bytes.set(values.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
      const found = imageType(Buffer.concat([bytes, Buffer.alloc(100)]).subarray(0, length));
      expect(found === undefined || /^image\/(png|jpeg|webp|gif|avif|heic)$/.test(found)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
