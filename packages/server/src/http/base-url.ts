/** What is wrong with a URL that other URLs begin with, as a clause; undefined when it is valid. */
export function baseUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, username, password, pathname } = new URL(text);
  if (!['http:', 'https:'].includes(protocol)) return 'must begin with http:// or https://';
  if (username || password) return 'must not contain a user name or password';
  if (/[?#]/.test(text)) return 'must not have a query or a fragment';
  // Anything else could be taken for a parameter by the router, or for another host in `Location: //…`.
  if (!/^(\/[\w.~-]+)*\/?$/.test(pathname)) return 'must have a path of letters, digits and - . _ ~ only';
  return undefined;
}

/** Without the slash at its end, so that paths can be appended. */
export const withoutSlash = (url: string): string => new URL(url).href.replace(/\/$/, '');

/** The path of a base URL, such as `/v1`; empty when it has none. */
export const basePathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');
