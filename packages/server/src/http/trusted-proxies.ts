import { BlockList, isIP } from 'node:net';
import { splitList } from './split-list.ts';

/**
 * Returns what is wrong with a comma-separated list of IP addresses and networks, as a clause; undefined when it is valid.
 * Names and numbers of proxies are not accepted: a client that bypasses the proxies could then forge its IP address.
 */
export function proxyListError(list: string): string | undefined {
  return splitList(list).map(entryError).find(Boolean);
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

/** Makes the test whether an IP address is that of a trusted proxy. @param entries valid IP addresses and networks */
export function trustedProxies(entries: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', length] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
