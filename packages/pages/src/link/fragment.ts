const punctuation = /[\p{P}\p{S}\p{Z}\p{C}]/u;

/**
 * A link without what mail programs and people put after it, such as a full stop, brackets or quotes: keys, tokens and ids end in
 * letters and digits. Not with one regular expression, which takes long for thousands of dots before a letter.
 */
export function withoutPunctuation(link: string): string {
  let end = link.length;
  while (end > 0 && punctuation.test(link[end - 1] ?? '')) end--;
  return link.slice(0, end);
}

/** The fragment of a URL, without punctuation at its end, and decoded unless it is malformed. @param hash such as `#ship_…` */
export function fragmentOf(hash: string): string {
  const fragment = hash.slice(1);
  try {
    return withoutPunctuation(decodeURIComponent(fragment));
  } catch {
    return withoutPunctuation(fragment);
  }
}
