import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { withTimeLimit } from '../timing/time-limit.ts';
import { hostOf, isAllowedAddress, isLoopbackHost, webhookUrlError } from './url-rules.ts';

/** Finds the IP addresses of a name. @throws when it has none or the name servers do not respond */
export type Resolve = (name: string) => Promise<string[]>;

/** Milliseconds for a response of a name server, and the number of attempts. */
const resolverOptions = { timeout: 2000, tries: 2 };
/** Milliseconds for the look-up of a host while an endpoint is created. */
const lookupTimeout = 1000;

/** The host of a webhook has an IP address that is not allowed. */
export class ForbiddenAddress extends Error {
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
