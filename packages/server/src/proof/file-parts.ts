import { imageDimensionsFromData } from 'image-dimensions';

/** What the parts of a file ask for: so many bytes, to pass over so many, or the next marker of a JPEG. */
type Want = { take: number } | { skip: number } | 'marker';
/** Reads the parts of a file. Returns what is wrong with them, as a clause. */
type Parts = Generator<Want, string | undefined, Buffer>;

/** Most pixels of an image: 8192 × 8192. A browser needs four bytes of memory for each. */
const maxPixels = 67_108_864;
/** The largest width and height of an image, in pixels. */
const maxSide = 16_384;

function sizeError(width: number, height: number): string | undefined {
  const isAllowed = [width, height].every((side) => side >= 1 && side <= maxSide) && width * height <= maxPixels;
  if (isAllowed) return undefined;
  return `is ${width} × ${height} pixels: 1 to ${maxSide} on each side and at most ${maxPixels} in total are accepted`;
}

/** Chunks of a length and a type, which end with `IEND`. */
function* pngParts(): Parts {
  yield { skip: 8 };
  for (;;) {
    const head = yield { take: 8 };
    yield { skip: head.readUInt32BE() + 4 };
    if (head.toString('latin1', 4) === 'IEND') return undefined;
  }
}

/** One chunk of a length that contains all others. */
function* webpParts(): Parts {
  const head = yield { take: 8 };
  yield { skip: head.readUInt32LE(4) };
  return undefined;
}

/** Segments that begin with a marker, which end with `EOI`. Of several frames, decoders may choose any. */
function* jpegParts(): Parts {
  let error: string | undefined = 'has no frame header with its dimensions';
  for (;;) {
    const marker = (yield 'marker').readUInt8();
    if (marker === 0xd9) return error;
    const hasLength = marker !== 0xd8 && marker !== 0x01;
    let length = hasLength ? (yield { take: 2 }).readUInt16BE() - 2 : 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const frame = yield { take: 5 };
      error = sizeError(frame.readUInt16BE(3), frame.readUInt16BE(1));
      if (error) return error;
      length -= 5;
    }
    yield { skip: Math.max(0, length) };
  }
}

/** The most entries of the directory of a TIFF. Real ones have a few dozen. */
const maxEntries = 1000;

/** A header with the place of the first directory, which has the size of the first page. */
function* tiffParts(): Parts {
  const head = yield { take: 8 };
  const isLittle = head.toString('latin1', 0, 2) === 'II';
  const short = (bytes: Buffer, at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (bytes: Buffer, at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const offset = long(head, 4);
  if (offset < 8) return `has its first directory at byte ${offset}, which is in its header`;
  yield { skip: offset - 8 };
  const count = short(yield { take: 2 }, 0);
  if (count > maxEntries) return `has ${count} entries in its first directory: at most ${maxEntries} are accepted`;
  const entries = yield { take: count * 12 + 4 }; // with the place of the next directory
  /** The value of a field. It is a short number (type 3) or a long one (type 4). */
  const fieldOf = (tag: number): number => {
    for (let at = 0; at < count * 12; at += 12) {
      if (short(entries, at) !== tag || long(entries, at + 4) !== 1) continue;
      const type = short(entries, at + 2);
      return type === 3 ? short(entries, at + 8) : type === 4 ? long(entries, at + 8) : 0;
    }
    return 0;
  };
  return sizeError(fieldOf(256), fieldOf(257));
}

/** Bytes at the end of a PDF in which its end is marked: others may follow the mark. */
const pdfTail = 1024;
/**
 * Whether a byte is NUL, white space of PDF (ISO 32000-2, section 7.2.3) or the end of file of DOS. Scanners and modems fill up
 * files with them: they do not count.
 */
const isPadding = (byte: number | undefined): boolean =>
  byte === 0x00 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1a || byte === 0x20;

function readPdf(): PartReader {
  let tail = Buffer.alloc(0);
  return {
    read(chunk) {
      const found: number[] = [];
      for (let at = chunk.length - 1; at >= 0 && found.length < pdfTail; at--) {
        const byte = chunk[at];
        if (byte !== undefined && !isPadding(byte)) found.push(byte);
      }
      tail = Buffer.concat([tail, Buffer.from(found.reverse())]).subarray(-pdfTail);
    },
    error: () =>
      tail.includes('%%EOF') ? undefined : `has no %%EOF in its last ${pdfTail} bytes that are not NUL or white space`,
  };
}

/** Reads a file while its bytes arrive. */
export interface PartReader {
  read(chunk: Buffer): void;
  /** Returns what is wrong with the file, as a clause; undefined when it is whole and within the limits. */
  error(): string | undefined;
}

/** Small parts that a file may have. Each costs about a microsecond, and larger ones are few. Real files have dozens. */
const maxSmallParts = 1000;
/** Bytes that a part that is not small has to skip. Encoders divide the data of a PNG into parts of at least 8 KiB. */
const largePart = 1024;

/** Whether a byte after 0xff begins no marker: fill bytes, stuffed ones and restarts. */
const isData = (byte: number): boolean => byte === 0xff || byte === 0 || (byte >= 0xd0 && byte <= 0xd7);

/** @param missing what a file lacks that ends too early. More bytes may follow those of an image */
function readParts(parts: Parts, missing: string): PartReader {
  let step = parts.next();
  let taken = Buffer.alloc(0);
  let [size, skipped, small] = [0, 0, 0];
  let isMarkerStart = false;
  const give = (bytes: Buffer): void => {
    step = parts.next(bytes);
    [taken, skipped, isMarkerStart] = [Buffer.alloc(0), 0, false];
  };
  return {
    read(chunk) {
      size += chunk.length;
      for (let at = 0; !step.done && small <= maxSmallParts; ) {
        const want = step.value;
        if (want === 'marker') {
          // By bytes: a search for each 0xff takes longer where they are many.
          let marker: Buffer | undefined;
          for (; at < chunk.length && !marker; at++) {
            const byte = chunk[at] ?? 0;
            if (isMarkerStart && !isData(byte)) marker = chunk.subarray(at, at + 1);
            isMarkerStart = byte === 0xff; // any number of them is one
          }
          if (!marker) return;
          give(marker);
        } else {
          const count = 'take' in want ? want.take - taken.length : want.skip - skipped;
          const bytes = chunk.subarray(at, at + count);
          at += bytes.length;
          if ('take' in want) taken = Buffer.concat([taken, bytes]);
          else skipped += bytes.length;
          if (bytes.length < count) return;
          if ('skip' in want && want.skip < largePart) small++;
          give(taken);
        }
      }
    },
    error() {
      if (small > maxSmallParts) return `has more than ${maxSmallParts} parts of less than ${largePart} bytes`;
      return step.done ? step.value : `has ${size} bytes, and ends before ${missing}`;
    },
  };
}

/** The first bytes, in which readers look for the header of a PDF. They have the dimensions of a PNG or WebP. */
const headSize = 1024;

/** How files begin, and what reads them. Scanners, printers and mail systems write a BOM, lines, commands or headers before a PDF. It begins with no markup, which browsers would show (WHATWG MIME Sniffing, section 7.1). */
const formats: Record<string, [signature: RegExp, read: () => PartReader]> = {
  'image/png': [/^\x89PNG\r\n/, () => readParts(pngParts(), 'its IEND chunk')],
  'image/jpeg': [/^\xff\xd8\xff/, () => readParts(jpegParts(), 'its end marker, EOI')],
  'image/webp': [/^RIFF.{4}WEBP/s, () => readParts(webpParts(), 'the length in its header')],
  'image/tiff': [/^(II\*\0|MM\0\*)/, () => readParts(tiffParts(), 'the end of its first directory')],
  'application/pdf': [/^(?![^\w%]*<).*?%PDF-/s, readPdf],
};

function headError(head: Buffer, contentType: string): string | undefined {
  const text = head.toString('latin1');
  const type = Object.keys(formats).find((name) => formats[name]?.[0].test(text));
  if (!type) return `is of no accepted type: it begins with ${JSON.stringify(text.slice(0, 12))}`;
  if (type !== contentType) return `is ${type} where ${contentType} was declared`;
  if (type !== 'image/png' && type !== 'image/webp') return undefined;
  const size = imageDimensionsFromData(head);
  return size ? sizeError(size.width, size.height) : 'has no dimensions in its first chunk';
}

/** Makes what reads a file of a declared type, in time proportional to its bytes, whatever they are. */
export function readFile(contentType: string): PartReader {
  let head = Buffer.alloc(0);
  const parts = formats[contentType]?.[1]();
  return {
    read(chunk) {
      if (head.length < headSize) head = Buffer.concat([head, chunk.subarray(0, headSize - head.length)]);
      parts?.read(chunk);
    },
    error: () => headError(head, contentType) ?? parts?.error(),
  };
}
