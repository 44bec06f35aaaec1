import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { Account } from '@waybill/sandbox/demo/account';
import { json, quoted } from '@waybill/sandbox/demo/shell';

const examples = document.components.examples;
const imageFolder = join(import.meta.dirname, 'images');
// Times of when the script runs, which may be days after the start.
const now = '$(now)';
const later = (hours: number): string => `$(later ${hours})`;

/**
 * Returns a shell script that creates a shipment and takes it to its proof of delivery. `sh` runs it, and users can paste
 * it into bash or zsh; it has no comments, because an interactive zsh rejects them.
 * @param folder for the images that the script downloads
 */
export async function tutorial(baseUrl: string, account: Account, folder: string): Promise<string> {
  const { type, origin, destination, notes } = examples.ShipmentRequest.value;
  const [tiles] = examples.ShipmentRequestWithItems.value.items;
  const pickup_window = { start: later(1), end: later(5) };
  const shipment = { type, origin, destination, pickup_window, items: [tiles], notes };
  const event = ({ value }: { value: object }): string =>
    call('recordTrackingEvent', { ...value, timestamp: now, ...('eta' in value && { eta: later(24) }) });
  const images = { signature: '$SIGNATURE', photos: ['$PHOTO'] };
  const proof = { ...examples.ProofOfDeliveryRequest.value, delivered_at: now, ...images };
  const { EventDispatched, EventPickedUp, EventInTransit } = examples;

  const steps: [title: string, ...commands: string[]][] = [
    ['The shipper creates a shipment', call('createShipment', shipment), 'TRACKING_NUMBER=$(field tracking_number)'],
    ['The shipper reads its tracking status', call('getTracking')],
    ['The carrier assigns a driver', event(EventDispatched)],
    ['The carrier picks the shipment up', event(EventPickedUp)],
    ['The shipment is in transit', event(EventInTransit)],
    ['The carrier uploads the signature of the receiver', ...(await upload('signature', 'image/png', 'signature.png'))],
    ['The carrier uploads a photo of the delivery', ...(await upload('photo', 'image/jpeg', 'photo.jpg'))],
    ['The carrier submits the proof of delivery: the shipment is delivered', call('submitProofOfDelivery', proof)],
    [
      'The shipper reads the proof of delivery and downloads its images',
      call('getProofOfDelivery'),
      download('signature_url', 'signature.png'),
      download('photos', 'photo.jpg'),
    ],
  ];
  return `${[
    `API=${quoted(baseUrl)}`,
    `SHIPPER=${quoted(`Authorization: Bearer ${account.api_key}`)}`,
    `CARRIER=${quoted(`Authorization: Bearer ${account.carrier_api_key}`)}`,
    `JSON='Content-Type: application/json'`,
    `IMAGES=${quoted(imageFolder)}`,
    `SAVED=${quoted(folder)}`,
    // Milliseconds, which not all versions of date have.
    `now() { date -u +%Y-%m-%dT%H:%M:%S.%3NZ | sed 's/\\.[^Z]*N[^Z]*Z/Z/'; }`,
    'later() { TZ="UTC-$1" date +%Y-%m-%dT%H:00:00Z; }', // at most 24 hours; all versions of date have this
    // A field of the last response; of a list, its first item.
    `field() { echo "$RESPONSE" | sed -nE 's/.*"'"$1"'":\\[?"([^"]*)".*/\\1/p'; }`,
    ...steps.flatMap(([title, ...commands], index) => ['', `echo; echo '${index + 1}. ${title}'`, ...commands]),
  ].join('\n')}\n`;
}

/** The curl command of an operation, with the key that has its scope. Path parameters are shell variables. */
function call(id: keyof typeof operationTable, body?: object): string {
  const { path, scope } = operationTable[id];
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const key = scope === 'tracking:write' ? 'CARRIER' : 'SHIPPER';
  const data = body ? ` -H "$JSON" -d ${json(body)}` : '';
  return `RESPONSE=$(curl -sS "$API${url}" -H "$${key}"${data}); echo "$RESPONSE"`;
}

/** The commands that upload an image and set the variable with the name of its kind to the upload's id. */
async function upload(kind: 'signature' | 'photo', content_type: string, name: string): Promise<string[]> {
  const bytes = await readFile(join(imageFolder, name));
  return [
    call('createProofUpload', { kind, content_type, size: bytes.length, sha256: hash('sha256', bytes) }),
    `${kind.toUpperCase()}=$(field upload_id)`,
    `curl -sS -T "$IMAGES/${name}" "$(field upload_url)" -H 'Content-Type: ${content_type}' -w 'Stored (%{http_code}).\\n'`,
  ];
}

const download = (url: string, name: string): string =>
  `curl -fsS "$(field ${url})" -o "$SAVED/${name}" && echo "Saved $SAVED/${name}"`;
