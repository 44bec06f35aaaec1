import { readFile } from '@waybill/server/proof/file-parts';
import { fileType } from '@waybill/server/proof/uploads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { files, images, pdf, tiff } from '../../fixtures/images.ts';

const types = Object.keys(files) as (keyof typeof files)[];
const [png, jpeg, webp] = [images['image/png'], images['image/jpeg'], images['image/webp']];
const changed = (bytes: Uint8Array, at: number, values: number[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(values), bytes.subarray(at + values.length)]);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** Where the frame header of the test's JPEG begins: FF C0, length, precision, height, width. */
const frame = Buffer.from(jpeg()).indexOf(hex('ff c0'));
/** Many copies of these bytes after a head. */
const long = (head: string, copy: string, count: number) =>
  Buffer.concat([hex(head), Buffer.alloc(count * hex(copy).length, hex(copy))]);
/** 900 KiB of metadata in front of an image. */
const metadata = long('ff d8', `ff e1 ff ff ${'01'.repeat(65_533)}`, 14);

test.for<[what: string, bytes: Uint8Array, type?: string]>([
  ...types.map((type): [string, Uint8Array, string] => [`a file of the type ${type}`, files[type](), type]),
  ['a JPEG after metadata', Buffer.concat([metadata, jpeg().subarray(2)]), 'image/jpeg'],
  ['a PNG of 50,000,000 pixels', changed(png(), 16, [0, 0, 0x27, 0x10, 0, 0, 0x13, 0x88]), 'image/png'],
  ['a JPEG of 50,000,000 pixels', changed(jpeg(), frame + 5, [0x13, 0x88, 0x27, 0x10]), 'image/jpeg'],
  ['a WebP of 50,000,000 pixels', changed(webp(), 26, [0x10, 0x27, 0x88, 0x13]), 'image/webp'],
  ['a PNG of 10,000 × 5,001 pixels', changed(png(), 16, [0, 0, 0x27, 0x10, 0, 0, 0x13, 0x89])],
  ['a JPEG of 10,000 × 5,001 pixels', changed(jpeg(), frame + 5, [0x13, 0x89, 0x27, 0x10])],
  ['a WebP of 10,000 × 5,001 pixels', changed(webp(), 26, [0x10, 0x27, 0x89, 0x13])],
  ['a PNG of no width', changed(png(), 16, [0, 0, 0, 0])],
  ['a PNG 16,385 pixels wide', changed(png(), 16, [0, 0, 0x40, 1])],
  ['a JPEG without a frame header', jpeg().slice(0, frame)],
  ['fill bytes', long('ff d8', 'ff', 1024 ** 2)],
  ['empty segments', long('ff d8', 'ff e1 00 00', 1024 ** 2)],
  ['boxes of no size', long('00 00 00 10 66 74 79 70 61 76 69 66', '00', 1024 ** 2)],
  ['HTML that has the marks of a PDF', Buffer.concat([Buffer.from('<script>1</script>'), pdf()])],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
])(
  'fileType returns the type of %s, or undefined if it is no accepted file or an image of more than 50,000,000 pixels',
  ([, bytes, expected]) => {
    const found = fileType(Buffer.from(bytes));
    expect(types.find((type) => type === found)).toBe(expected);
  },
);

/** Whether a file is complete that arrives in chunks of this length. */
function isComplete(type: string, bytes: Uint8Array, length: number): boolean {
  const file = readFile(type);
  for (let at = 0; at < bytes.length; at += length) file.read(Buffer.from(bytes.subarray(at, at + length)));
  return file.isComplete();
}

const scan = 'ff da 00 03 01';

test.for<[what: string, bytes: Uint8Array, isComplete: boolean, type?: string]>([
  ...types.map((type): [string, Uint8Array, boolean, string] => [type, files[type](), true, type]),
  ['a big-endian TIFF of 50,000,000 pixels', tiff(10_000, 5_000, 'MM'), true, 'image/tiff'],
  ['a TIFF of 10,000 × 5,001 pixels', tiff(10_000, 5_001), false, 'image/tiff'],
  ['a TIFF of no width', tiff(0), false, 'image/tiff'],
  ['a TIFF with a directory in its header', changed(tiff(), 4, [2, 0, 0, 0]), false, 'image/tiff'],
  ['a TIFF with a directory behind its end', changed(tiff(), 4, [0xff, 0xff, 0xff, 0xff]), false, 'image/tiff'],
  ['a TIFF with 65,535 entries', changed(tiff(), 10, [0xff, 0xff]), false, 'image/tiff'],
  ['a progressive JPEG', hex(`ff d8 ff c2 00 07 08 00 01 00 01 ${scan} 12 ff c4 00 03 00 ${scan} 34 ff d9`), true],
  ['a thumbnail that ends before its JPEG', hex('ff d8 ff e1 00 08 ff d8 ff d9 00 00 ff da 00 03 01 12 34'), false],
  ['a second, larger frame', hex(`ff d8 ff c0 00 07 08 00 01 00 01 ff c1 00 07 08 ff ff ff ff ${scan} ff d9`), false],
])('readFile knows when %s is complete', ([, bytes, expected, type = 'image/jpeg']) => {
  for (const length of [1, 2, 3, 7, bytes.length]) {
    expect(isComplete(type, bytes, length)).toBe(expected);
    expect(isComplete(type, Uint8Array.from([...bytes, 0xff, 0xd8, 1]), length)).toBe(expected);
    for (let end = 0; end < bytes.length; end++) expect(isComplete(type, bytes.subarray(0, end), length)).toBe(false);
  }
});

test('fileType returns a result for every changed, cut or extended header', () => {
  const change = fc.tuple(fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 8 }));
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.array(change, { maxLength: 6 }), fc.nat(300), (type, changes, length) => {
      const bytes = Buffer.concat([files[type](), Buffer.alloc(300)]);
      for (const [at, values] of changes) bytes.set(values, at);
      const found = fileType(bytes.subarray(0, length));
      expect(found === undefined || /^(image\/(png|jpeg|webp|gif|avif|heic|tiff)|application\/pdf)$/.test(found)).toBe(
        true,
      );
    }),
    { numRuns: 3000 },
  );
});
