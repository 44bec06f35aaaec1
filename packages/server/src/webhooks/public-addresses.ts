import ipaddr from 'ipaddr.js';

/** IPv6 addresses outside it are not assigned to hosts of the internet (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** The metadata service of Azure, inside a public network. */
const azureMetadata = '168.63.129.16';

/** Whether an IP address belongs to a host of the internet, and not to a private, local, translated or reserved network. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === azureMetadata) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** Whether an IP address is one of this machine: 127.0.0.0/8 or ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';

/** Whether deliveries may connect to an IP address. */
export const isAllowedAddress = (address: string, allowLoopback: boolean): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
