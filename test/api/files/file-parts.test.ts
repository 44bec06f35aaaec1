import { Readable } from 'node:stream';
import { readFile } from '@waybill/server/proof/file-parts';
import { checkedBytes } from '@waybill/server/proof/uploads';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { files, images, pdf, tiff } from '../../fixtures/images.ts';
import { declarationOf } from '../../fixtures/requests/valid-requests.ts';

type Type = keyof typeof files;
const types = Object.keys(files) as Type[];
const [png, jpeg, webp] = [images['image/png'], images['image/jpeg'], images['image/webp']];
const changed = (bytes: Uint8Array, at: number, values: number[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(values), bytes.subarray(at + values.length)]);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** Where the frame header of the test's JPEG begins: FF C0, length, precision, height, width. */
const frame = Buffer.from(jpeg()).indexOf(hex('ff c0'));
const [small, scan] = ['ff c0 00 07 08 00 01 00 01', 'ff da 00 03 01'];
/** Copies of a part behind the header of a file. */
const jpegWith = (count: number, part: string): Buffer =>
  Buffer.concat([jpeg().subarray(0, 2), ...Array(count).fill(hex(part)), jpeg().subarray(2)]);
const pngWith = (count: number, part: string): Buffer =>
  Buffer.concat([png().subarray(0, 33), ...Array(count).fill(hex(part)), png().subarray(33)]);
const [segment, emptySegment] = [`ff e1 04 02 ${'01'.repeat(1024)}`, 'ff e1 00 02'];
const [chunk, emptyChunk] = [`00 00 04 00 49 44 41 54 ${'01'.repeat(1028)}`, '00 00 00 00 74 45 58 74 00 00 00 00'];
/** A PDF between other bytes. */
const pdfIn = (before: string, after = ''): Buffer =>
  Buffer.concat([Buffer.from(before, 'latin1'), pdf(), Buffer.from(after, 'latin1')]);
const printerHead = '\x1b%-12345X@PJL JOB NAME="scan"\r\n@PJL ENTER LANGUAGE=PDF\r\n';
const printerEnd = '\x1b%-12345X@PJL EOJ\r\n\x1b%-12345X';

/** What is wrong with a file that arrives in chunks of this length. */
function errorOf(type: Type, bytes: Uint8Array, length: number): string | undefined {
  const file = readFile(type);
  for (let at = 0; at < bytes.length; at += length) file.read(Buffer.from(bytes.subarray(at, at + length)));
  return file.error();
}

const rows: Partial<Record<Type, [what: string, bytes: Uint8Array, error?: string][]>> = {
  'image/png': [
    ['a photo of a phone, 8192 × 6144', changed(png(), 16, [0, 0, 0x20, 0, 0, 0, 0x18, 0])],
    ['8193 × 8192 pixels', changed(png(), 16, [0, 0, 0x20, 1, 0, 0, 0x20, 0]), '8193 × 8192 .* 67108864'],
    ['16,385 × 1 pixels', changed(png(), 16, [0, 0, 0x40, 1]), '16385 × 1 .* 16384'],
    ['0 × 1 pixels', changed(png(), 16, [0, 0, 0, 0]), '0 × 1 '],
    ['3,000 large chunks', pngWith(3000, chunk)],
    // Of its own chunks, three are small, like its signature.
    ['996 empty chunks', pngWith(996, emptyChunk)],
    ['997 empty chunks', pngWith(997, emptyChunk), 'more than 1000 parts'],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0'), 'begins with "GIF89a'],
  ],
  'image/jpeg': [
    ['8192 × 8192 pixels', changed(jpeg(), frame + 5, [0x20, 0, 0x20, 0])],
    ['8193 × 8192 pixels', changed(jpeg(), frame + 5, [0x20, 0, 0x20, 1]), '8193 × 8192 .* 67108864'],
    ['2 MiB of metadata', jpegWith(32, `ff e1 ff ff ${'01'.repeat(65_533)}`)],
    ['3,000 large segments', jpegWith(3000, segment)],
    ['990 empty segments', jpegWith(990, emptySegment)],
    ['1,001 empty segments', jpegWith(1001, emptySegment), 'more than 1000 parts'],
    ['1,001 starts', jpegWith(1001, 'ff d8'), 'more than 1000 parts'],
    ['several scans', hex(`ff d8 ff c2 00 07 08 00 01 00 01 ${scan} 12 ff c4 00 03 00 ${scan} 34 ff d9`)],
    ['a second frame', hex(`ff d8 ${small} ff c1 00 07 08 ff ff ff ff ${scan} ff d9`), '65535 × 65535'],
    ['no frame', Buffer.concat([jpeg().subarray(0, frame), hex('ff d9')]), 'no frame header'],
    ['the end of its thumbnail only', hex(`ff d8 ff e1 00 08 ff d8 ff d9 00 00 ${scan}`), 'ends before .*EOI'],
    ['a HEIC', hex('00 00 00 18 66 74 79 70 68 65 69 63'), 'begins with .*ftypheic'],
    ['a PNG', png(), 'image/png where image/jpeg was declared'],
  ],
  'image/webp': [
    ['8192 × 8192 pixels', changed(webp(), 26, [0, 0x20, 0, 0x20])],
    ['8193 × 8192 pixels', changed(webp(), 26, [1, 0x20, 0, 0x20]), '8193 × 8192 .* 67108864'],
  ],
  'image/tiff': [
    ['8192 × 8192 pixels, big-endian', tiff(8192, 8192, 'MM')],
    ['8193 × 8192 pixels', tiff(8193, 8192), '8193 × 8192 .* 67108864'],
    ['0 × 1 pixels', tiff(0), '0 × 1 '],
    ['a directory in its header', changed(tiff(), 4, [2, 0, 0, 0]), 'byte 2, .* header'],
    ['a directory behind its end', changed(tiff(), 4, [0xff, 0xff, 0xff, 0xff]), '112 bytes, .* directory'],
    ['65,535 entries', changed(tiff(), 10, [0xff, 0xff]), '65535 entries .* 1000 '],
  ],
  'application/pdf': [
    ['4,845 NUL and blank lines after it', pdfIn('', `\r\n${'\0'.repeat(4845)}\n \t\r\n`)],
    ['a BOM and a line feed before it', pdfIn('\xef\xbb\xbf\n')],
    ['the commands of a printer around it', pdfIn(printerHead, printerEnd)],
    ['1,019 bytes before it', pdfIn('\0'.repeat(1019))],
    ['1,020 bytes before it', pdfIn('\0'.repeat(1020)), 'begins with ".u0000'],
    ['1,019 letters after it', pdfIn('', 'x'.repeat(1019))],
    ['1,020 letters after it', pdfIn('', `${'x'.repeat(1020)}\0\0`), 'last 1024 bytes that are not NUL'],
    ['5,000 NUL and the commands of a printer after it', pdfIn('', `${'\0'.repeat(5000)}${printerEnd}`)],
    ['2,000 ends of file of DOS after it', pdfIn('', '\x1a'.repeat(2000))],
    ['the headers of a mail before it', pdfIn('Content-Type: application/pdf\r\nMessage-ID: <a@b>\r\n\r\n')],
    ['markup before it', pdfIn('<script>1</script>'), 'begins with "<script>1'],
  ],
};

test.for(
  types.flatMap((type) =>
    [['nothing else', files[type]()] as const, ...(rows[type] ?? [])].map((row) => [type, ...row] as const),
  ),
)('readFile accepts an %s with %s, or says which limit it exceeds', ([type, , bytes, error]) => {
  const expected = error === undefined ? undefined : expect.stringMatching(error);
  const lengths = bytes.length > 10_000 ? [4097, bytes.length] : [1, 2, 3, 7, bytes.length];
  for (const length of lengths) expect(errorOf(type, bytes, length)).toEqual(expected);
});

test.for(types)('readFile accepts an %s with bytes after it, and no part of one', (type) => {
  const bytes = files[type]();
  for (const length of [1, 2, 3, 7, bytes.length]) {
    expect(errorOf(type, Uint8Array.from([...bytes, 0xff, 0xd8, 1]), length)).toBeUndefined();
    for (let end = 0; end < bytes.length; end++)
      expect(errorOf(type, bytes.subarray(0, end), length)).toBeTypeOf('string');
  }
});

/** Parts that are as small as possible, and what looks like them. */
const units: Record<Type, string[]> = {
  'image/png': [emptyChunk, '00 00 00 00', '00 00 00 01 49 44 41 54 00 00 00 00 00', '49 45 4e 44'],
  'image/jpeg': [emptySegment, 'ff e1 00 00', 'ff d8', 'ff 01', 'ff 00', 'ff d0', 'ff', small, scan],
  'image/webp': ['00 00 00 00', '41 4c 50 48 00 00 00 00', '41 4e 4d 46 01 00 00 00 00 00'],
  'image/tiff': ['00 01', 'ff ff', '01 00 00 04 00 00 00 01 00 00 00 01', '00'],
  'application/pdf': ['00', '20', '25', '25 25 45 4f', '25 25 45 4f 46', '25 50 44 46 2d', '46'],
};

test.for(types)('of 200 hostile files of the type %s, readFile has little to do with each', (type) => {
  const [valid, size] = [files[type](), 2 ** 18];
  const unit = fc.oneof(fc.constantFrom(...units[type].map(hex)), fc.uint8Array({ minLength: 1, maxLength: 12 }));
  const copied = fc.array(unit, { minLength: 1, maxLength: 4 }).map((parts) => Buffer.concat(parts));
  using subarray = vi.spyOn(Buffer.prototype, 'subarray');
  using indexOf = vi.spyOn(Buffer.prototype, 'indexOf');
  fc.assert(
    fc.property(fc.integer({ min: 2, max: valid.length }), copied, (start, copy) => {
      const bytes = Buffer.concat([valid.subarray(0, start), Buffer.alloc(size, copy)]);
      for (const calls of [subarray, indexOf]) calls.mockClear();
      errorOf(type, bytes, 65_536);
      // A small or large part takes a few calls, like a chunk. Bytes are compared one by one.
      expect(subarray.mock.calls.length + indexOf.mock.calls.length).toBeLessThan(4 * (1100 + size / 1024));
    }),
    { numRuns: 200 },
  );
});

test('checkedBytes measures the time in which it reads a file', async () => {
  const declared = { ...declarationOf(png()), sha256: hex(declarationOf(png()).sha256) };
  const request = { busy: 0, socket: { bytesRead: 0 } };
  const file = { read: vi.fn(() => void expect(request.busy).toBe(0)), error: () => undefined };
  for await (const _ of checkedBytes(Readable.from([Buffer.from(png())]), declared, request, file));
  expect(file.read).toHaveBeenCalledOnce();
  expect(request.busy).toBeGreaterThan(0);
});
