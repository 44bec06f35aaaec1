/** What the parts of an image ask for: so many bytes, to pass over so many, or the next marker of a JPEG. */
type Want = { take: number } | { skip: number } | 'marker';
/** Reads the parts of an image. Returns whether they end as they must. */
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

const partsOf: Record<string, () => Parts> = {
  'image/png': pngParts,
  'image/webp': webpParts,
  'image/jpeg': jpegParts,
};

/** Reads an image while its bytes arrive, and knows whether they are all of it. More bytes may follow. */
export function readImage(contentType: string): { read(chunk: Buffer): void; isComplete(): boolean } {
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
