import { readImage } from '@waybill/server/proof/image-parts';
import { imageType } from '@waybill/server/proof/uploads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { images } from '../../fixtures/images.ts';

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

/** A WebP with a canvas, whose sides are stored less one. */
function canvas(width: number, height: number): Buffer {
  const bytes = Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0wwwhhh', 'latin1');
  bytes.writeUIntLE(width, 24, 3);
  bytes.writeUIntLE(height, 27, 3);
  return bytes;
}

test('imageType accepts 50,000,000 pixels', () => {
  expect(imageType(changed(png(), 16, [0, 0, 0x27, 0x10, 0, 0, 0x13, 0x88]))).toBe('image/png');
  expect(imageType(changed(jpeg(), frame + 5, [0x13, 0x88, 0x27, 0x10]))).toBe('image/jpeg');
  expect(imageType(changed(webp(), 26, [0x10, 0x27, 0x88, 0x13]))).toBe('image/webp');
  expect(imageType(canvas(9999, 4999))).toBe('image/webp');
});

/** Whether an image is complete that arrives in chunks of this length. */
function isComplete(type: string, bytes: Uint8Array, length = bytes.length): boolean {
  const image = readImage(type);
  for (let at = 0; at < bytes.length; at += length) image.read(Buffer.from(bytes.subarray(at, at + length)));
  return image.isComplete();
}

test.for(types)('%s is complete with all of its bytes and more, and with none less', (type) => {
  const bytes = images[type]();
  const more = Uint8Array.from([...bytes, 0xff, 0xd8, 1]);
  for (const length of [1, 2, 3, 7, bytes.length]) {
    expect(isComplete(type, bytes, length)).toBe(true);
    expect(isComplete(type, more, length)).toBe(true);
    for (let end = 0; end < bytes.length; end++)
      expect(isComplete(type, bytes.subarray(0, end), length), `${end}`).toBe(false);
  }
});

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const scan = 'ff da 00 03 01';

test.for([
  ['a progressive one', hex(`ff d8 ff c2 00 07 08 00 01 00 01 ${scan} 12 ff c4 00 03 00 ${scan} 34 ff d9`), true],
  ['one with stuffed bytes, restarts and fill bytes', hex(`ff d8 ${scan} ff 00 ff d0 ff d7 01 ff ff ff d9`), true],
  ['a thumbnail that ends before the image', hex('ff d8 ff e1 00 08 ff d8 ff d9 00 00 ff da 00 03 01 12 34'), false],
  ['a stuffed end', hex(`ff d8 ${scan} ff 00 d9`), false],
  [
    'a second frame of 65,535 × 65,535 pixels',
    hex(`ff d8 ff c0 00 07 08 00 01 00 01 ff c1 00 07 08 ff ff ff ff ${scan} ff d9`),
    false,
  ],
] as const)('a JPEG with %s', ([, bytes, expected]) => {
  for (const length of [1, 2, bytes.length]) expect(isComplete('image/jpeg', bytes, length)).toBe(expected);
});

test.for([
  ['a PNG of no width', changed(png(), 16, [0, 0, 0, 0])],
  ['a PNG of no height', changed(png(), 20, [0, 0, 0, 0])],
  ['a PNG 16,385 pixels wide', changed(png(), 16, [0, 0, 0x40, 1])],
  ['a PNG 2,147,483,647 pixels high', changed(png(), 20, [0x7f, 0xff, 0xff, 0xff])],
  ['a PNG signature alone', png().slice(0, 12)],
  ['a PNG whose first chunk is another', changed(png(), 12, [0x49, 0x44, 0x41, 0x54])],
  ['a PNG of 16,000 × 16,000 pixels', changed(png(), 16, [0, 0, 0x3e, 0x80, 0, 0, 0x3e, 0x80])],
  ['a PNG of 10,000 × 5,001 pixels', changed(png(), 16, [0, 0, 0x27, 0x10, 0, 0, 0x13, 0x89])],
  ['a JPEG of 10,000 × 5,001 pixels', changed(jpeg(), frame + 5, [0x13, 0x89, 0x27, 0x10])],
  ['a WebP of 10,000 × 5,001 pixels', changed(webp(), 26, [0x10, 0x27, 0x89, 0x13])],
  ['a WebP whose canvas has 10,000 × 5,001 pixels', canvas(9999, 5000)],
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
