import { imageType } from '@waybill/http/files/uploads';
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

const changed = (bytes: Uint8Array, at: number, values: number[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(values), bytes.subarray(at + values.length)]);
const { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp } = images;
/** Where the frame header of the test's JPEG begins: FF C0, length, precision, height, width. */
const frame = Buffer.from(jpeg()).indexOf(Buffer.from([0xff, 0xc0]));

test.for([
  ['a PNG of no width', changed(png(), 16, [0, 0, 0, 0])],
  ['a PNG of no height', changed(png(), 20, [0, 0, 0, 0])],
  ['a PNG 16,385 pixels wide', changed(png(), 16, [0, 0, 0x40, 1])],
  ['a PNG 2,147,483,647 pixels high', changed(png(), 20, [0x7f, 0xff, 0xff, 0xff])],
  ['a PNG signature alone', png().slice(0, 12)],
  ['a PNG whose first chunk is another', changed(png(), 12, [0x49, 0x44, 0x41, 0x54])],
  ['a JPEG of no height', changed(jpeg(), frame + 5, [0, 0])],
  ['a JPEG 65,535 pixels wide', changed(jpeg(), frame + 7, [0xff, 0xff])],
  ['a JPEG without a frame header', jpeg().slice(0, frame)],
  ['three bytes of a JPEG and a script', Uint8Array.from(Buffer.from('\xff\xd8\xff<script>', 'latin1'))],
  ['a WebP container alone', webp().slice(0, 16)],
  ['a WebP of no width', changed(webp(), 26, [0, 0])],
  ['fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(1024 * 1024, 0xff)])],
  [
    'empty segments',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1024 * 1024, Buffer.from([0xff, 0xe1, 0, 0]))]),
  ],
  ['boxes of no size', Buffer.concat([Buffer.from('\0\0\0\x10ftypavif\0\0\0\0'), Buffer.alloc(1024 * 1024)])],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
] as const)('imageType does not accept %s', ([, bytes]) => {
  expect(types).not.toContain(imageType(Buffer.from(bytes)));
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
