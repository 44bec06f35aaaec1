/**
 * A link without what mail programs and people put after it, such as a full stop, brackets or quotes: keys, tokens and ids end in
 * letters and digits.
 */
export const withoutPunctuation = (link: string): string => link.replace(/[\p{P}\p{S}\p{Z}\p{C}]+$/u, '');

/** The fragment of a URL, without punctuation at its end, and decoded unless it is malformed. @param hash such as `#ship_…` */
export function fragmentOf(hash: string): string {
  const fragment = hash.slice(1);
  try {
    return withoutPunctuation(decodeURIComponent(fragment));
  } catch {
    return withoutPunctuation(fragment);
  }
}
