import { createClient } from '@waybill/client';
import { shipmentRequest } from '@waybill/sandbox/shipment-request';
import type { RequestTemplate, Target } from './request-template.ts';

/** Requests of the values, which are paths, as a browser sends them. */
const browse = (paths: string[]): RequestTemplate => ({
  method: 'GET',
  path: '@value',
  headers: { 'accept-encoding': 'br, gzip' },
  values: paths,
});

/** The files and pages that need no key. */
export const staticFiles = (): RequestTemplate =>
  browse(['/board/main.js', '/board/land.json', '/d/main.js', '/openapi.json', '/t/unknown', '/unknown']);

const cities = `Auckland,Auckland,NZ;London,,GB;Tokyo,Tokyo,JP;Lima,Lima,PE;Cape Town,Western Cape,ZA;Seattle,WA,US;Miami,FL,US;
Mumbai,MH,IN;Sydney,NSW,AU;Moscow,MOW,RU;Toronto,ON,CA;Santos,SP,BR;Singapore,,SG;Cairo,C,EG;Lagos,LA,NG;Honolulu,HI,US`;

/** Creates a shipment for each pair of cities, more than the service caches maps. @returns the paths of their pages */
export async function worldMaps({ shipper }: Target): Promise<RequestTemplate> {
  const client = createClient(shipper);
  const pathOf = async (from: Address, to: Address): Promise<string> => {
    const { id: shipment_id } = await client.createShipment({ ...shipmentRequest, origin: from, destination: to });
    const { token } = await client.createAccess({ shipment_id, scopes: ['tracking:read', 'shipments:read'] });
    return `/t/${token}`;
  };
  const addresses = cities.split(/;\s*/).map((each) => {
    const [city = '', state, country = ''] = each.split(',');
    return { address: '1 Dock Street', zip: '1', city, state: state || city, country };
  });
  const paths: string[] = [];
  for (const from of addresses)
    paths.push(...(await Promise.all(addresses.filter((to) => to !== from).map((to) => pathOf(from, to)))));
  return browse(paths);
}

type Address = typeof shipmentRequest.origin;

/** The path of the live connection of a page of the account. */
export async function livePage({ shipper, params }: Target): Promise<string> {
  const { token } = await createClient(shipper).createAccess({ shipment_id: params.shipment_id, kind: 'track' });
  return `/t/${token}/live`;
}
