import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { components } from '@waybill/contract/types';
import type { Account } from '@waybill/sandbox/account';
import { json, quoted } from '@waybill/sandbox/shell';

type Schemas = components['schemas'];

const examples = document.components.examples;
const images = join(import.meta.dirname, 'images');
const now = '$(now)';

/**
 * Returns a shell script that creates a shipment and takes it to its proof of delivery. `sh` runs it, and users can paste
 * it into bash or zsh; it has no comments, because an interactive zsh rejects them.
 * @param folder for the images that the script downloads
 */
export async function tutorial(baseUrl: string, account: Account, folder: string): Promise<string> {
  const hour = 3_600_000;
  const later = (hours: number) => new Date(Math.ceil(Date.now() / hour) * hour + hours * hour).toISOString();
  const { type, origin, destination, notes } = examples.ShipmentRequest.value;
  const shipment = { type, origin, destination, pickup_window: { start: later(1), end: later(5) }, notes };
  const { EventDispatched, EventPickedUp, EventInTransit } = examples;
  const event = (example: object) =>
    replaced<Schemas['TrackingEventRequest']>(example, {
      timestamp: now,
      ...('eta' in example && { eta: later(26) }),
    });
  const proof = replaced<Schemas['ProofOfDeliveryRequest']>(examples.ProofOfDeliveryRequest.value, {
    delivered_at: now,
    signature: '$SIGNATURE',
    photos: ['$PHOTO'],
  });

  return `${[
    `API=${quoted(baseUrl)}`,
    `SHIPPER=${quoted(`Authorization: Bearer ${account.api_key}`)}`,
    `CARRIER=${quoted(`Authorization: Bearer ${account.carrier_api_key}`)}`,
    `JSON='Content-Type: application/json'`,
    `IMAGES=${quoted(images)}`,
    `SAVED=${quoted(folder)}`,
    'now() { date -u +%Y-%m-%dT%H:%M:%SZ; }',
    `field() { echo "$RESPONSE" | sed -nE 's/.*"'"$1"'":\\[?"([^"]*)".*/\\1/p'; }`,
    ...step('1. The shipper creates a shipment'),
    call('createShipment', shipment),
    `TRACKING_NUMBER=${field<Schemas['Shipment']>('tracking_number')}`,
    ...step('2. The shipper reads its tracking status'),
    call('getTracking'),
    ...step('3. The carrier assigns a driver'),
    call('recordTrackingEvent', event(EventDispatched.value)),
    ...step('4. The carrier picks the shipment up'),
    call('recordTrackingEvent', event(EventPickedUp.value)),
    ...step('5. The shipment is in transit'),
    call('recordTrackingEvent', event(EventInTransit.value)),
    ...step('6. The carrier uploads the signature of the receiver'),
    ...(await upload('signature', 'image/png', 'signature.png', 'SIGNATURE')),
    ...step('7. The carrier uploads a photo of the delivery'),
    ...(await upload('photo', 'image/jpeg', 'photo.jpg', 'PHOTO')),
    ...step('8. The carrier submits the proof of delivery: the shipment is delivered'),
    call('submitProofOfDelivery', proof),
    ...step('9. The shipper reads the proof of delivery and downloads its images'),
    call('getProofOfDelivery'),
    download('signature_url', 'signature.png'),
    download('photos', 'photo.jpg'),
  ].join('\n')}\n`;
}

const step = (title: string): string[] => ['', `echo; echo ${quoted(title)}`];

/** An example of the contract with some of its fields replaced. */
const replaced = <Schema>(example: object, fields: Partial<Schema>): object => ({ ...example, ...fields });

/** The curl command of an operation, with the key that has its scope. Path parameters are shell variables. */
function call(id: keyof typeof operationTable, body?: object): string {
  const { path, scope } = operationTable[id];
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const key = scope === 'tracking:write' ? 'CARRIER' : 'SHIPPER';
  const data = body ? ` -H "$JSON" -d ${json(body)}` : '';
  return `RESPONSE=$(curl -sS "$API${url}" -H "$${key}"${data}); echo "$RESPONSE"`;
}

/** The shell expression for a field of the last response; for a list, its first item. */
const field = <Schema>(name: keyof Schema & string): string => `$(field ${name})`;

async function upload(
  kind: Schemas['FileKind'],
  content_type: Schemas['ImageType'],
  name: string,
  variable: string,
): Promise<string[]> {
  const bytes = await readFile(join(images, name));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const declared: Schemas['ProofUploadRequest'] = { kind, content_type, size: bytes.length, sha256 };
  return [
    call('createProofUpload', declared),
    `${variable}=${field<Schemas['ProofUpload']>('upload_id')}`,
    `curl -sS -T "$IMAGES/${name}" "${field<Schemas['ProofUpload']>('upload_url')}" -H 'Content-Type: ${content_type}' -w 'Stored (%{http_code}).\\n'`,
  ];
}

const download = (url: keyof Schemas['ProofOfDelivery'], name: string): string =>
  `curl -fsS "${field<Schemas['ProofOfDelivery']>(url)}" -o "$SAVED/${name}" && echo "Saved $SAVED/${name}"`;
