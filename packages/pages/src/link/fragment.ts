/** The fragment of a URL, decoded unless it is malformed. @param hash such as `#ship_…` */
export function fragmentOf(hash: string): string {
  const fragment = hash.slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
