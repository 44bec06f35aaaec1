import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Ports that other services than web servers use are below this one. */
const firstUserPort = 1024;
/** Names of hosts that are not on the internet (RFC 6761, RFC 6762, RFC 8375). */
const localName = /(^|\.)(localhost|local|internal|intranet|lan|corp|home|private|invalid|test|onion|home\.arpa)$/;
/** IPv6 addresses outside it are not assigned to hosts of the internet (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** The metadata service of Azure, inside a public network. */
const azureMetadata = '168.63.129.16';

/** The host of a URL as it connects: without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Returns why events must not be sent to a URL, as a clause such as `must begin with https://`; undefined when they may. It
 * does not resolve the name of the host.
 * @param allowLoopback accepts `http:` and `https:` URLs of this machine
 */
export function webhookUrlError(text: string, allowLoopback: boolean): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  const { protocol, username, password, hash } = url;
  const host = hostOf(url);
  const isLoopback = isLoopbackHost(host);
  if (protocol !== 'https:' && !(allowLoopback && isLoopback && protocol === 'http:')) {
    return 'must begin with https://';
  }
  if (username || password || /^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not contain a user name or password';
  if (hash || text.includes('#')) return 'must not have a fragment';
  // Parsers read other forms of a host differently: 0x7f.1, 017700000001, full-width digits, percent-encoding, backslashes.
  if (!text.toLowerCase().startsWith(`${protocol}//${url.host}`)) {
    return 'must contain its host in the usual form: a name in ASCII, four decimal numbers or a short IPv6 address';
  }
  if (allowLoopback && isLoopback) return undefined;
  if (isIP(host)) return isAllowedAddress(host, allowLoopback) ? portError(url) : 'must not be of a private network';
  if (!host.includes('.') || host.endsWith('.') || localName.test(host)) {
    return 'must name a host of the internet, without a dot at its end';
  }
  return portError(url);
}

/** Whether a host is this machine without a look-up. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

const portError = ({ port }: URL): string | undefined =>
  port === '' || Number(port) >= firstUserPort ? undefined : `must have the port 443 or one from ${firstUserPort}`;

/** Whether an IP address belongs to a host of the internet, and not to a private, local, translated or reserved network. */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === azureMetadata) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** Whether an IP address is one of this machine: 127.0.0.0/8 or ::1. */
const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';

/** Whether deliveries may connect to an IP address. */
export const isAllowedAddress = (address: string, allowLoopback: boolean): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
