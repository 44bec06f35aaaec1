import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The IP address that a request is counted for: the client's, as far as trusted proxies report it. What is not an IP
 * address is skipped, or each made-up text would have a limit of its own. IPv6 addresses are counted by their network of
 * 64 bits, because that is what one subscriber has; IPv4 in IPv6 is IPv4.
 */
export function addressOf({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const client = ips.findLast((entry) => isIP(entry) !== 0);
  if (client === undefined) return 'unknown'; // the client has already disconnected
  const address = ipaddr.process(client);
  if (!('parts' in address)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
