import { LRUCache } from 'lru-cache';

// To make a format takes longer than to use it on a whole page.
const formats = new LRUCache<string, Intl.NumberFormat>({ max: 500 });

/** The format of numbers in a language. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}
