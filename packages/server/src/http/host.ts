import { isIP } from 'node:net';

const hostName = /^(?!-)[a-z\d-]{1,63}(\.[a-z\d-]{1,63})*\.?$/i;

/** What is wrong with a host to listen on, as a clause; undefined when it is valid. */
export function hostError(host: string): string | undefined {
  if (isIP(host) || hostName.test(host)) return undefined;
  return 'must be an IP address or a host name, without a port';
}

/** The URL by which this machine reaches what listens on a host and port. */
export function localUrl(host: string, port: number): string {
  if (['0.0.0.0', '127.0.0.1', '::'].includes(host)) return `http://localhost:${port}`;
  // A URL has no place for the zone of an IPv6 address.
  return `http://${host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host}:${port}`;
}
