import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '@waybill/contract/types';
import { png } from '../fixtures/images.ts';
import { declarationOf } from '../fixtures/requests.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { inTransit, proofFor } from '../fixtures/shipments.ts';
import { test as base, type TestAccount } from '../fixtures/test.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type ProofOfDelivery = components['schemas']['ProofOfDelivery'];

/** `folder` is where the service stores its files. */
export const test = base.extend<{ $file: { folder: string; service: Service } }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'waybill-stored-'));
      await use(folder);
      await rm(folder, { recursive: true });
    },
    { scope: 'file' },
  ],
  service: [
    async ({ folder }, use) => {
      await using service = await startService({ STORAGE_URL: `file:${folder}` });
      await use(service);
    },
    { scope: 'file' },
  ],
});

/** A PNG of so many bytes: one pixel, and filling after it. */
export const largePng = (size: number): Bytes => {
  const pixel = png();
  return Uint8Array.from(Buffer.concat([pixel, Buffer.alloc(size - pixel.length, crypto.randomUUID())]));
};

/** Declares a signature for a shipment. */
export const declare = async ({ client }: TestAccount, tracking_number: string, bytes: Bytes) =>
  (
    await client.createProofUpload({
      path: { tracking_number },
      body: { ...declarationOf(bytes), kind: 'signature' },
    })
  ).data;

export const put = (url: string, body: Bytes, type = 'image/png'): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });

/** A delivered shipment whose signature has these bytes. */
export async function delivered(
  account: TestAccount,
  bytes: Bytes,
): Promise<{ uploadId: string; uploadUrl: string; proof: ProofOfDelivery }> {
  const { tracking_number } = await inTransit(account);
  const { upload_id, upload_url } = await declare(account, tracking_number, bytes);
  await put(upload_url, bytes);
  const body = { ...(await proofFor(account, tracking_number)), signature: upload_id };
  const { data: proof } = await account.client.submitProofOfDelivery({ path: { tracking_number }, body });
  return { uploadId: upload_id, uploadUrl: upload_url, proof };
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The names of files that were not received to the end. */
export const incomingFiles = (folder: string): Promise<string[]> => readdir(join(folder, 'incoming')).catch(() => []);
