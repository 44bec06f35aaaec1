import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operations } from '@waybill/contract/operations';
import type { components } from '@waybill/contract/types';
import { type Account, demoScopes } from './demo.ts';
import { json, quoted } from './shell.ts';

type Schemas = components['schemas'];

const examples = document.components.examples;
const images = join(import.meta.dirname, 'images');
const now = '$(now)';

/** What the walk is made for. */
export interface Place {
  baseUrl: string;
  account: Account;
  /** Where the walk saves the images that it downloads. */
  folder: string;
}

/**
 * Shell commands that lead a shipment from its creation to its proof of delivery. They can be pasted into bash or zsh as a
 * whole or step by step (so there are no comments, which zsh does not take there), and run by `sh`.
 */
export async function walk({ baseUrl, account, folder }: Place): Promise<string> {
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
    `field() { echo "$ANSWER" | sed -nE 's/.*"'"$1"'":\\[?"([^"]*)".*/\\1/p'; }`,
    ...step('1. The shipper creates a shipment'),
    call('createShipment', shipment),
    `TRACKING_NUMBER=${field<Schemas['Shipment']>('tracking_number')}`,
    ...step('2. and looks where it is.'),
    call('getTracking'),
    ...step('3. The carrier reports: a driver is assigned,'),
    call('recordTrackingEvent', event(EventDispatched.value)),
    ...step('4. it is picked up,'),
    call('recordTrackingEvent', event(EventPickedUp.value)),
    ...step('5. it is on its way.'),
    call('recordTrackingEvent', event(EventInTransit.value)),
    ...step('6. It has arrived: the carrier uploads the signature'),
    ...(await upload('signature', 'image/png', 'signature.png', 'SIGNATURE')),
    ...step('7. and a photo,'),
    ...(await upload('photo', 'image/jpeg', 'photo.jpg', 'PHOTO')),
    ...step('8. and submits the proof of delivery.'),
    call('submitProofOfDelivery', proof),
    ...step('9. The shipper reads the proof and saves its images.'),
    call('getProofOfDelivery'),
    download('signature_url', 'signature.png'),
    download('photos', 'photo.jpg'),
  ].join('\n')}\n`;
}

const step = (title: string): string[] => ['', `echo; echo ${quoted(title)}`];

/** A contract's example, with some fields of its schema replaced. */
const replaced = <Schema>(example: object, fields: Partial<Schema>): object => ({ ...example, ...fields });

/** The curl of an operation, with the key of who may do it; path values come from variables of their names. */
function call(id: keyof typeof operations, body?: object): string {
  const { path, scope } = operations[id];
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const key = demoScopes.shipper.some((allowed) => allowed === scope) ? 'SHIPPER' : 'CARRIER';
  const data = body ? ` -H "$JSON" -d ${json(body)}` : '';
  return `ANSWER=$(curl -sS "$API${url}" -H "$${key}"${data}); echo "$ANSWER"`;
}

/** What the last answer holds in a field of its schema; of a list the first. */
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
