import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Address → what it is counted as. Most requests come from few addresses. */
const counted = new LRUCache<string, string>({ max: 10_000, memoMethod: countedAs });

/**
 * Returns the address that a request is counted for: the client's IP address (`clientIp`).
 * Entries that are not IP addresses are skipped, because each invented text would get a limit of its own. An IPv6 address
 * is counted by its /64 network, the usual allocation of one subscriber. An IPv4-mapped address counts as IPv4.
 */
export function clientAddress(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const client = clientIp(request);
  return client === undefined ? 'unknown' : counted.memo(client);
}

/** The client's IP address, as far as trusted proxies report it; undefined when the client has already disconnected. */
export const clientIp = ({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string | undefined => {
  const found = ips.findLast((entry) => ipOf(entry) !== undefined);
  return found === undefined ? undefined : ipOf(found);
};

/** Some proxies append the port, such as those of Azure; IIS also to IPv6 addresses without brackets. */
const withPort = /^(?:\[(.+)\](?::\d{1,5})?|((?:::ffff:)?[\d.]+):\d{1,5}|((?:[\da-f]{1,4}:){7}[\da-f]{1,4}):\d{1,5})$/i;

/** The IP address of an entry such as `203.0.113.7:51234` or `[2001:db8::1]:443`; undefined when it has none. */
function ipOf(entry: string): string | undefined {
  const address = withPort.exec(entry)?.slice(1).find(Boolean) ?? entry;
  return isIP(address) === 0 ? undefined : address;
}

function countedAs(client: string): string {
  const address = ipaddr.process(client);
  if (!('parts' in address)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * Returns what is wrong with a comma-separated list of IP addresses and networks, as a clause; undefined when it is valid.
 * Names and numbers of proxies are not accepted: a client that bypasses the proxies could then forge its IP address.
 */
export function proxyListError(list: string): string | undefined {
  return list
    .split(',')
    .map((entry) => entryError(entry.trim()))
    .find(Boolean);
}

function entryError(entry: string): string | undefined {
  const [address = '', length, ...rest] = entry.split('/');
  const family = address.includes('%') ? 0 : isIP(address); // an IPv6 zone is valid on one machine only
  if (family === 0) return `"${entry}" is not an IP address`;
  if (length === undefined) return undefined;
  const isNetwork = rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128);
  if (!isNetwork) return `"${entry}" is not a network, such as 10.0.0.0/8`;
  return Number(length) === 0 ? `"${entry}" trusts every sender` : undefined;
}

/** Makes the test whether an entry is the IP address of a trusted proxy, perhaps with a port. @param entries valid IP addresses and networks */
export function trustedProxies(entries: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', length] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return (entry) => {
    const address = ipOf(entry);
    return address !== undefined && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  };
}
