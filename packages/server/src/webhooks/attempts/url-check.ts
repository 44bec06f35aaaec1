import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { maxEndpointUrl } from '@waybill/contract/limits';
import ipaddr from 'ipaddr.js';
import { withTimeLimit } from '../../concurrency/time-limit.ts';

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
  if (!text.toLowerCase().startsWith(`${protocol}//${url.host}`) && !isInternational(text, host)) {
    return 'must contain its host in the usual form: a name, four decimal numbers or a short IPv6 address';
  }
  if (url.href.length > maxEndpointUrl)
    return `must have at most ${maxEndpointUrl} characters when it is percent-encoded`;
  if (allowLoopback && isLoopback) return undefined;
  if (isIP(host)) return isAllowedAddress(host, allowLoopback) ? portError(url) : 'must not be of a private network';
  if (!host.includes('.') || host.endsWith('.') || localName.test(host)) {
    return 'must name a host of the internet, without a dot at its end';
  }
  return portError(url);
}

/** Whether a URL has an international name, which its canonical form has in Punycode (RFC 3492). */
function isInternational(text: string, host: string): boolean {
  const [, , sent = ''] = text.split(/[/?#]/);
  return /[^\0-\x7f]/.test(sent) && !/[\\%]/.test(sent) && /(^|\.)xn--/.test(host);
}

/** The form in which a URL is stored, and its host is checked. @param url one that `webhookUrlError` accepts */
export const canonicalUrl = (url: string): string => new URL(url).href;

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
const isAllowedAddress = (address: string, allowLoopback: boolean): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

/** Finds the IP addresses of a name. @throws when it has none or the name servers do not respond */
export type Resolve = (name: string) => Promise<string[]>;

/** Milliseconds for a response of a name server, and the number of attempts. */
const resolverOptions = { timeout: 2000, tries: 2 };
/** Milliseconds for the look-up of a host while an endpoint is created. */
const lookupTimeout = 1000;

/** The host of a webhook has an IP address that is not allowed. */
class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} has an IP address of a private network`);
  }
}

/**
 * Asks the name servers of the system. The system's own look-up would block one of the four threads that also read files,
 * for as long as the name server of an endpoint's domain does not respond.
 */
export function dnsResolver(): Resolve {
  const resolver = new Resolver(resolverOptions);
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const [first] = found;
    if (addresses.length === 0) throw first.status === 'rejected' ? first.reason : new Error(`${name} has no address`);
    return addresses;
  };
}

/**
 * Finds the IP addresses that a delivery to a host may connect to.
 * @throws {ForbiddenAddress} when one of its addresses is not allowed, even if others are; another error when it has none
 */
export async function allowedAddresses(host: string, resolve: Resolve, allowLoopback: boolean): Promise<string[]> {
  const addresses = isIP(host) ? [host] : isLoopbackHost(host) ? ['127.0.0.1', '::1'] : await resolve(host);
  if (addresses.length === 0) throw new Error(`${host} has no IP address`);
  if (!addresses.every((address) => isAllowedAddress(address, allowLoopback))) throw new ForbiddenAddress(host);
  return addresses;
}

/**
 * Makes the look-up of connections. A name is resolved and checked when the connection is opened, so that a name that was
 * checked before and has another address now is refused.
 */
export const allowedLookup =
  (resolve: Resolve, allowLoopback: boolean): LookupFunction =>
  (host, { all }, callback) => {
    allowedAddresses(host, resolve, allowLoopback).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

/**
 * Makes the check of URLs of new endpoints. It returns why events must not be sent to a URL; undefined when they may. A name
 * that cannot be resolved now is accepted: each delivery resolves and checks it again.
 * @param resolve undefined when a proxy resolves names
 */
export const urlCheck =
  (resolve: Resolve | undefined, allowLoopback: boolean) =>
  async (url: string): Promise<string | undefined> => {
    const error = webhookUrlError(url, allowLoopback);
    if (error || !resolve) return error;
    const lookup = allowedAddresses(hostOf(new URL(url)), resolve, allowLoopback);
    try {
      await withTimeLimit(lookup, lookupTimeout, () => []);
      return undefined;
    } catch (failure) {
      return failure instanceof ForbiddenAddress ? 'must not have an IP address of a private network' : undefined;
    }
  };
