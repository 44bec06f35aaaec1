import { isIP } from 'node:net';
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
export const clientIp = ({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string | undefined =>
  ips.findLast((entry) => isIP(entry) !== 0);

function countedAs(client: string): string {
  const address = ipaddr.process(client);
  if (!('parts' in address)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
