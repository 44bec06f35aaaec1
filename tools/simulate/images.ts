import { crc32, deflateSync } from 'node:zlib';
import type { Random } from './random.ts';

type Pixel = [red: number, green: number, blue: number];

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(content.length + 8);
  whole.writeUInt32BE(data.length);
  content.copy(whole, 4);
  whole.writeUInt32BE(crc32(content), content.length + 4);
  return whole;
}

/** A PNG of 8 bits a colour. */
function png(width: number, height: number, pixel: (x: number, y: number) => Pixel): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => pixel(x, y)).flat(),
  ]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A scribble on white. */
export function signatureImage(random: Random): Buffer {
  const [slow, fast] = [random.between(0.1, 0.3), random.between(0.5, 1.1)];
  const line = (x: number): number => 12 + 6 * Math.sin(x * slow) + 4 * Math.sin(x * fast);
  return png(96, 24, (x, y) => (Math.abs(line(x) - y) < 1.5 ? [20, 30, 90] : [255, 255, 255]));
}

/** A crate in front of a wall, so to speak. */
export function photoImage(random: Random): Buffer {
  const shade = random.between(0, 120);
  return png(48, 32, (x, y) => (x > 12 && x < 36 && y > 12 ? [160, 110, shade] : [90 + y, 100 + x, shade + y]));
}
