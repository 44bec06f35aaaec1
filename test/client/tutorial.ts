import { png } from '../fixtures/images.ts';

const body = `
  const client = createClient({ apiKey, baseUrl, dangerouslyAllowBrowser: true });
  const address = { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402' };
  const { tracking_number } = await client.createShipment({
    type: 'freight',
    origin: address,
    destination: address,
    pickup_window: { start: new Date(Date.UTC(2026, 2, 2)), end: new Date(Date.UTC(2026, 2, 3)) },
  });
  const timestamp = new Date();
  await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp });
  await client.recordTrackingEvent({ tracking_number, status: 'picked_up', timestamp });
  await client.recordTrackingEvent({ tracking_number, status: 'in_transit', timestamp });
  const signature = Uint8Array.from(atob(image), (byte) => byte.charCodeAt(0));
  const files = await client.uploadProof({ tracking_number, signature });
  const location = { lat: 47.6, lng: -117.4 };
  const proof = { delivered_at: new Date(), signed_by: 'Owen Castillo', location };
  await client.submitProofOfDelivery({ tracking_number, ...proof, ...files });
  const { status } = await client.trackUntil({ tracking_number, status: 'delivered' });
  const error = await client.getTracking({ tracking_number: 'FRT-2000-000001' }).catch((error) => error);
  if (!(error instanceof WaybillError)) throw error;
  console.log(status, error.code);`;

/**
 * A program that creates, delivers and tracks a shipment, then handles an error. It is JavaScript and strict TypeScript,
 * and prints `delivered not_found`.
 */
export function tutorial(type: 'module' | 'commonjs', baseUrl: string, apiKey: string): string {
  const names = '{ createClient, WaybillError }';
  const load =
    type === 'module' ? `import ${names} from '@waybill/client';` : `const ${names} = require('@waybill/client');`;
  const settings = { baseUrl, apiKey, image: Buffer.from(png()).toString('base64') };
  return `${load}
const { baseUrl, apiKey, image } = ${JSON.stringify(settings)};
async function main() {${body}
}
main();
`;
}
