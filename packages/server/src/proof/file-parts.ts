/** What the parts of a file ask for: so many bytes, to pass over so many, or the next marker of a JPEG. */
type Want = { take: number } | { skip: number } | 'marker';
/** Reads the parts of a file. Returns whether they end as they must. */
type Parts = Generator<Want, boolean, Buffer>;

/** Most pixels of an image. A browser needs four bytes of memory for each. */
const maxPixels = 50_000_000;
/** The largest width and height of an image, in pixels. */
const maxSide = 16_384;

/** Whether an image of these pixels can be shown by every browser. */
export function isAllowedSize(width: number, height: number): boolean {
  const sides = [width, height];
  return sides.every((side) => side >= 1 && side <= maxSide) && width * height <= maxPixels;
}

/** Chunks of a length and a type, which end with `IEND`. */
function* pngParts(): Parts {
  yield { skip: 8 };
  for (;;) {
    const head = yield { take: 8 };
    yield { skip: head.readUInt32BE() + 4 };
    if (head.toString('latin1', 4) === 'IEND') return true;
  }
}

/** One chunk of a length that contains all others. */
function* webpParts(): Parts {
  const head = yield { take: 8 };
  yield { skip: head.readUInt32LE(4) };
  return true;
}

/** Segments that begin with a marker, which end with `EOI`. Of several frames, decoders may choose any. */
function* jpegParts(): Parts {
  for (;;) {
    const marker = (yield 'marker').readUInt8();
    if (marker === 0xd9) return true;
    if (marker === 0xd8 || marker === 0x01) continue; // without a length
    const length = (yield { take: 2 }).readUInt16BE() - 2;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const frame = yield { take: 5 };
      if (!isAllowedSize(frame.readUInt16BE(3), frame.readUInt16BE(1))) return false;
    }
    yield { skip: Math.max(0, length - (isFrame ? 5 : 0)) };
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
  if (offset < 8) return false;
  yield { skip: offset - 8 };
  const count = short(yield { take: 2 }, 0);
  if (count > maxEntries) return false;
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
  return isAllowedSize(fieldOf(256), fieldOf(257));
}

const partsOf: Record<string, () => Parts> = {
  'image/png': pngParts,
  'image/webp': webpParts,
  'image/jpeg': jpegParts,
  'image/tiff': tiffParts,
};

/** Reads a file while its bytes arrive, and knows whether they are all of it. */
interface FileReader {
  read(chunk: Buffer): void;
  isComplete(): boolean;
}

/** Bytes at the end of a PDF in which its end is marked: others may follow the mark. */
const pdfTail = 1024;

function readPdf(): FileReader {
  let tail = Buffer.alloc(0);
  return {
    read(chunk) {
      tail = Buffer.concat([tail, chunk.subarray(-pdfTail)]).subarray(-pdfTail);
    },
    isComplete: () => tail.includes('%%EOF'),
  };
}

/** Makes what reads a file of a type. More bytes may follow those of an image. */
export function readFile(contentType: string): FileReader {
  if (contentType === 'application/pdf') return readPdf();
  const parts = partsOf[contentType]?.();
  let step = parts?.next();
  let taken = Buffer.alloc(0);
  let skipped = 0;
  let isMarkerStart = false;
  const give = (bytes: Buffer): void => {
    step = parts?.next(bytes);
    [taken, skipped, isMarkerStart] = [Buffer.alloc(0), 0, false];
  };
  return {
    read(chunk) {
      for (let at = 0; step && !step.done; ) {
        const want = step.value;
        if (want === 'marker') {
          if (!isMarkerStart) {
            at = chunk.indexOf(0xff, at) + 1;
            if (at === 0) return;
            isMarkerStart = true;
          }
          while (chunk[at] === 0xff) at++; // any number of them is one
          if (at === chunk.length) return;
          const marker = chunk.subarray(at, ++at);
          const byte = marker.readUInt8();
          // A stuffed byte and restarts are part of the data.
          if (byte === 0 || (byte >= 0xd0 && byte <= 0xd7)) isMarkerStart = false;
          else give(marker);
        } else {
          const count = 'take' in want ? want.take - taken.length : want.skip - skipped;
          const bytes = chunk.subarray(at, at + count);
          at += bytes.length;
          if ('take' in want) taken = Buffer.concat([taken, bytes]);
          else skipped += bytes.length;
          if (bytes.length < count) return;
          give(taken);
        }
      }
    },
    isComplete: () => step?.done === true && step.value,
  };
}
