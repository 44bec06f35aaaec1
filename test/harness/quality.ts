import { saidOf, say } from '@waybill/tools/quality';
import { expect } from 'vitest';

/** Holds the README to what a test has measured; under `vitest --mode quality` it is the README that is mended. */
export function measured(what: string, howMuch: string): void {
  if (process.env.MODE === 'quality') say(what, howMuch);
  else expect(saidOf(what), 'after a whole run, README.md is out of date: npx -y pnpm@12 quality').toBe(howMuch);
}
