import { parentPort, workerData } from 'node:worker_threads';
import { createClient } from '@waybill/client';
import { image } from '../simulate/travel.ts';

/** Uploads files of 10 MiB. In its own thread, because their bytes would occupy that of the caller. */
const { carrier, tracking_number, seconds } = workerData;
const client = createClient({ ...carrier, maxRetries: 0 });
const file = Buffer.concat([image, Buffer.alloc(10 * 1024 * 1024 - image.length)]);
const counts = { stored: 0, refused: 0 };
const end = performance.now() + seconds * 1000;
const sendAll = async (): Promise<void> => {
  while (performance.now() < end) {
    await client.uploadProofFile({ tracking_number, kind: 'photo', content_type: 'image/png', file }).then(
      () => counts.stored++,
      () => counts.refused++,
    );
  }
};
await Promise.all(Array.from({ length: 8 }, sendAll));
parentPort?.postMessage(`${counts.stored} stored, ${counts.refused} refused`);
