import type { Shipment } from '@waybill/client';
import { cityText } from '../text/addresses.ts';
import { isZone } from '../text/times.ts';
import { browserZone, zoneQuery } from '../text/zones.ts';
import type { Link } from './store.ts';

type Address = Shipment['origin'];

/**
 * The time zone of an address.
 * @returns `place` is undefined if it is not known: then the zone is that of the phone
 */
export function clockAt(link: Link | undefined, address: Address | undefined): { zone: string; place?: string } {
  const zone = address && link?.zones?.[zoneQuery(address)];
  if (zone && isZone(zone)) return { zone, place: cityText(address) };
  return { zone: browserZone() };
}
