import { type Finding, failed, passed } from './finding.ts';

const fix = 'Make each key with `openssl rand -hex 32`.';
/** Words of keys in documents, tests and examples. */
const exampleWord = /change.?me|example|secret|passwor|openssl|waybill|signing|123456|abcdef/i;
/** Bits that the characters of a key must contain at least. 32 random hexadecimal digits contain about 115. */
const minBits = 90;

/** Checks that the secrets of signed URLs are different and cannot be guessed. It does not show them. */
export function checkSigningKeys(keys: string[]): Finding {
  const name = 'SIGNING_KEYS';
  for (const [index, key] of keys.entries()) {
    const which = keys.length > 1 ? ` in key ${index + 1} of ${keys.length}` : '';
    if (keys.indexOf(key) !== index) return failed(name, `has the same key twice`, 'Remove one of them.');
    if (/^(.+?)\1+$/.test(key)) return failed(name, `repeats a text${which}`, fix);
    if (exampleWord.test(key)) return failed(name, `has words of an example${which}`, fix);
    if (bitsOf(key) < minBits) return failed(name, `has too few different characters${which}`, fix);
  }
  return passed(name, keys.length === 1 ? 'is a strong key' : `are ${keys.length} strong keys`);
}

/** The information of a text by the frequency of its characters (Shannon), in bits. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}
