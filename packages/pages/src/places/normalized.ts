/** Letters that Unicode does not decompose, and those of Arabic that people exchange. */
const letters: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ə: 'e' },
  ...{ ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ς: 'σ' },
};

/** Words that are also written short. */
const words: Record<string, string> = {
  ...{ st: 'saint', sankt: 'saint', sint: 'saint', ste: 'sainte', sta: 'santa', sto: 'santo', ft: 'fort', mt: 'mount' },
  cd: 'ciudad',
};

/** A name without accents, punctuation, spaces and capitals: "D.C." and "dc" are the same, and "St. Paul" and "Saint Paul". */
export const normalized = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłıþəةىیکς]/g, (letter) => letters[letter] ?? letter)
    .replace(/\b(st|sankt|sint|ste|sta|sto|ft|mt|cd)\b/g, (word) => words[word] ?? word)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .normalize('NFC');

/** A name in ASCII as people of its country write it there: "Koeln", "Aarhus". */
export const transliterated = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüåø]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' })[letter] ?? letter);

/** The first words of a name, the most first: "San", "San Juan" of "San Juan-Sur". */
export const headsOf = (name: string): string[] =>
  [...name.matchAll(/[\s\p{Pd}]+/gu)].map(({ index }) => name.slice(0, index)).reverse();
