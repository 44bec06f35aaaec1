/** Decimal digits of a script are ten in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

/** A text with the digits of all scripts, such as ٤ or ４, as ASCII ones. */
export const withAsciiDigits = (text: string): string => text.replace(/\p{Nd}/gu, asciiDigit);
