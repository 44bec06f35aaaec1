/** Letters that Unicode does not decompose. */
const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th' };

/** A name without accents, punctuation, spaces and capitals: "D.C." and "dc" are the same. */
export const normalized = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłıþ]/g, (letter) => letters[letter] ?? letter)
    .replace(/\b(st|ste|ft|mt)\b/g, (word) => ({ st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' })[word] ?? word)
    .replace(/[^\p{L}\p{N}]+/gu, '');
