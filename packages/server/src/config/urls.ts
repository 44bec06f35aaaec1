import { isIP } from 'node:net';
import { splitList } from './variable.ts';

const hostName = /^(?!-)[a-z\d-]{1,63}(\.[a-z\d-]{1,63})*\.?$/i;

/** Returns what is wrong with a host to listen on, as a clause; undefined when it is valid. */
export function hostError(host: string): string | undefined {
  if (isIP(host) || hostName.test(host)) return undefined;
  return 'must be an IP address or a host name, without a port';
}

/** Returns what is wrong with a base URL, as a clause; undefined when it is valid. */
export function baseUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, username, password, pathname } = new URL(text);
  if (!['http:', 'https:'].includes(protocol)) return 'must begin with http:// or https://';
  if (username || password) return 'must not contain a user name or password';
  if (/[?#]/.test(text)) return 'must not have a query or a fragment';
  // The router would treat other characters as parameters, and clients `Location: //…` as another host.
  if (!/^(\/[\w.~-]+)*\/?$/.test(pathname)) return 'must have a path of letters, digits and - . _ ~ only';
  return undefined;
}

/** Returns what is wrong with the URL of a Redis, as a clause; undefined when it is valid. */
export function redisUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  if (!['redis:', 'rediss:'].includes(protocol)) return 'must begin with redis:// or rediss://';
  if (hostname === '') return 'must name a host';
  if (!/^\/?\d*$/.test(pathname)) return 'must have a database number as its path, or no path';
  // Parameters would override the timeouts of the service.
  if (search || hash) return 'must not have a query or a fragment';
  return undefined;
}

/** Returns what is wrong with the URL of an HTTP proxy, as a clause; undefined when it is valid. */
export function proxyUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, pathname } = new URL(text);
  if (!['http:', 'https:'].includes(protocol)) return 'must begin with http:// or https://';
  if (pathname !== '/' || /[?#]/.test(text)) return 'must not have a path, a query or a fragment';
  return undefined;
}

/** Returns what is wrong with the URL of map tiles, as a clause; undefined when it is valid. */
export function tilesUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, username, password, host } = new URL(text);
  if (!['http:', 'https:'].includes(protocol)) return 'must begin with http:// or https://';
  if (username || password) return 'must not contain a user name or password';
  const missing = ['{z}', '{x}', '{y}'].find((part) => text.split(part).length !== 2);
  if (missing) return `must contain ${missing} once`;
  // The policy of the pages permits one origin.
  if (/[{}]|%7[bd]/i.test(host)) return 'must not have {z}, {x} or {y} in its host';
  return undefined;
}

/** Removes the trailing slash of a URL, so that paths can be appended. */
export const withoutTrailingSlash = (url: string): string => new URL(url).href.replace(/\/$/, '');

/** Returns the path of a base URL, such as `/v1`; empty when it has none. */
export const basePathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

/** Returns the URL by which programs on this machine reach a host and port that the service listens on. */
export function localUrl(host: string, port: number): string {
  if (['0.0.0.0', '127.0.0.1', '::'].includes(host)) return `http://localhost:${port}`;
  // The zone of an IPv6 address is not allowed in a URL.
  return `http://${host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host}:${port}`;
}

/** Returns what is wrong with a list of origins, as a clause; undefined when it is valid. */
export function originListError(list: string): string | undefined {
  const [wrong] = splitList(list).flatMap((entry) => {
    const error = originError(entry);
    return error ? `"${entry}" ${error}` : [];
  });
  return wrong;
}

/** The origin of a page with a scheme of its own, as mobile apps and browser extensions have it. */
const customOrigin = /^(?!(https?|file):)[a-z][a-z\d+.-]*:\/\/[A-Za-z\d.-]+(:\d+)?$/;

function originError(text: string): string | undefined {
  if (text.includes('*')) return 'has a wildcard: name each origin, such as https://app.example.com';
  // Otherwise any page could send requests from a sandboxed frame.
  if (text === 'null') return 'is the origin of all pages in a sandbox or from a file';
  if (customOrigin.test(text)) return undefined;
  if (!/^https?:/.test(text) || !URL.canParse(text)) return 'is not an origin, such as https://app.example.com';
  const { origin } = new URL(text);
  return origin === text ? undefined : `is not as browsers send it, which is ${origin}`;
}
