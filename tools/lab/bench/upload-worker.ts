import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { createClient } from '@waybill/client';
import { image } from '@waybill/sandbox/simulate/travel';

/** Uploads files of 10 MiB. In its own thread, because their bytes would occupy that of the caller. */
const { carrier, tracking_number, seconds } = workerData;
const client = createClient({ ...carrier, maxRetries: 0 });
const file = Buffer.concat([image, Buffer.alloc(10 * 1024 * 1024 - image.length)]);
// The client's `uploadProofFile` would hash the file for each upload, which takes as much CPU time as the service.
const declaration = {
  kind: 'photo',
  content_type: 'image/png',
  size: file.length,
  sha256: hash('sha256', file),
} as const;
const counts = { stored: 0, refused: 0 };
const end = performance.now() + seconds * 1000;
const upload = async (): Promise<boolean> => {
  const { upload_url, method, headers } = await client.createProofUpload({ tracking_number, ...declaration });
  return (await fetch(upload_url, { method, headers, body: file })).ok;
};
const sendAll = async (): Promise<void> => {
  while (performance.now() < end) counts[(await upload().catch(() => false)) ? 'stored' : 'refused']++;
};
await Promise.all(Array.from({ length: 8 }, sendAll));
parentPort?.postMessage(`${counts.stored} stored, ${counts.refused} refused`);
