/**
 * A link without what mail programs and people put after it, such as a full stop, brackets, `&gt;` or a text without spaces:
 * keys, tokens and ids end in letters and digits.
 */
export const linkIn = (text: string): string => /^(?:[_/-]*[A-Za-z\d]+)*/.exec(text)?.[0] ?? '';

/** The fragment of a URL, without what follows it, and decoded unless it is malformed. @param hash such as `#ship_…` */
export function fragmentOf(hash: string): string {
  const fragment = hash.slice(1);
  try {
    return linkIn(decodeURIComponent(fragment));
  } catch {
    return linkIn(fragment);
  }
}
