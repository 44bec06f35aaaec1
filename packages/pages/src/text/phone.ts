import { withAsciiDigits } from './digits.ts';

/** Digits of a number (E.164 has at most 15). */
const [minDigits, maxDigits] = [5, 15];
/** So many digits are a whole number: what follows a bracket, a slash or in one piece is another one. */
const wholeNumber = 7;

const word = 'extensi[oó]n|extn|ext|xtn|x|poste|ramal|anexo|interno|durchwahl|分机|分機|转|轉';
/** What follows a number: the word before an extension in the languages of the pages, or a pause, and its digits. */
const extensionPart = new RegExp(
  String.raw`^[\s.-]*(?:;\s*ext\s*=|,,+|,(?=\d)|[\s(]*(?:${word})[.:]?\s*#?|#)\s*(\d{1,7})(?![\s.-]*\d)`,
  'iu',
);
const extensionWord = new RegExp(`^(?:${word})$`, 'iu');
/** What is dialled before the code of a country instead of +. */
const prefixAbroad = /^(?:00|011)/;
const northAmerican = /^1?[2-9]\d{9}$/;
const tollFree = /^(?:1?8\d\d|0[89]00|1[38]00)$/;

const keypad = ['ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];
const keyOf = (letter: string): string => String(2 + keypad.findIndex((key) => key.includes(letter.toUpperCase())));

/**
 * The link that dials the first number of a text which people have written (RFC 3966). Letters are those of a keypad, as in
 * 1-800-GO-FREIGHT. Codes for the telephone itself, such as *#06#, are never dialled.
 * @returns undefined for a text without a number
 */
export function phoneUrl(text: string): string | undefined {
  const plain = withAsciiDigits(
    text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(/\p{Pd}/gu, '-'),
  );
  if (/^\W*[*#]|[*#]{2}|\*\s*\d|#[\d\s]+[*#]/.test(plain)) return undefined;
  const start = /(?<![\p{L}\d])(\+?)\s*\(?(?=\d)/gu;
  for (let found = start.exec(plain); found; found = start.exec(plain)) {
    const isInternational = found[1] === '+';
    const { digits, end } = numberAt(plain, start.lastIndex, isInternational);
    start.lastIndex = end;
    if (digits.length < minDigits) continue;
    if (digits.length > maxDigits) return undefined;
    const extension = extensionPart.exec(plain.slice(end))?.[1];
    return `tel:${isInternational ? '+' : ''}${digits}${extension ? `;ext=${extension}` : ''}`;
  }
  return undefined;
}

/** Reads the number that begins at a place. */
function numberAt(text: string, from: number, isInternational: boolean): { digits: string; end: number } {
  const part = /([\s()./-]*)(\d+|[A-Za-z]+)/y;
  const groups: { digits: string; end: number }[] = [];
  let [digits, hasLetters] = ['', false];
  part.lastIndex = from;
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const [, separator = '', run = ''] = found;
    const isNumber = /\d/.test(run);
    if (isNumber && isNext(digits.replace(prefixAbroad, ''), separator, run)) break;
    if (!isNumber && !isVanity(digits, separator, run, hasLetters)) break;
    hasLetters ||= !isNumber;
    // The zero of +49 (0)30 is dialled only within the country.
    const isAbroad = isInternational || prefixAbroad.test(digits);
    const isTrunkZero = isAbroad && run === '0' && separator.endsWith('(') && text[part.lastIndex] === ')';
    if (!isTrunkZero) digits += isNumber ? run : [...run].map(keyOf).join('');
    groups.push({ digits, end: part.lastIndex });
  }
  // Two numbers in the same form, with no more than a space between them.
  const half = groups[groups.length / 2 - 1];
  const lengths = groups.map(({ digits: all }, index) => all.length - (groups[index - 1]?.digits.length ?? 0));
  const isTwice = lengths.every((length, index) => length === lengths[(index + lengths.length / 2) % lengths.length]);
  if (half && half.digits.length >= wholeNumber && isTwice) return half;
  return groups.at(-1) ?? { digits, end: from };
}

/** Whether digits are those of another number, or no number. @param digits before them */
function isNext(digits: string, separator: string, run: string): boolean {
  if (northAmerican.test(digits) && /\s/.test(separator)) return true;
  return digits.length >= wholeNumber && (/[(/\n]|\s{2}/.test(separator) || run.length >= wholeNumber);
}

/** Whether letters are part of a number, not a word after it. @param digits before them */
function isVanity(digits: string, separator: string, letters: string, hasLetters: boolean): boolean {
  if (extensionWord.test(letters) || digits.length < 3) return false;
  if (!/\s/.test(separator)) return hasLetters || digits.length < wholeNumber;
  return /^[A-Z]+$/.test(letters) && digits.length < wholeNumber && (hasLetters || tollFree.test(digits));
}
