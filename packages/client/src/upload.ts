import type { CallOptions, Operations, Schemas } from './operations.ts';
import type { Send } from './transport.ts';

/** A file for a shipment's proof of delivery. */
export interface ProofFile {
  tracking_number: Schemas['TrackingNumber'];
  kind: Schemas['FileKind'];
  content_type: Schemas['ImageType'];
  /** The bytes, at most 10 MiB. */
  file: Uint8Array | Blob;
}

/** Creates an upload and sends the file to its URL: see `Client.uploadProofFile`. */
export async function uploadProofFile(
  createProofUpload: Operations['createProofUpload'],
  send: Send,
  { tracking_number, kind, content_type, file }: ProofFile,
  options: CallOptions = {},
): Promise<Schemas['UploadId']> {
  // A copy, so that the bytes match their SHA-256 even if the caller changes them meanwhile.
  const bytes = file instanceof Blob ? await file.arrayBuffer() : new Uint8Array(file).buffer;
  const body = { kind, content_type, size: bytes.byteLength, sha256: await sha256(bytes) };
  const { data: upload } = await createProofUpload({ ...options, path: { tracking_number }, body });
  const { headers, upload_url } = upload;
  await send('putProofFile', { ...options, headers, body: new Blob([bytes], { type: content_type }) }, upload_url);
  return upload.upload_id;
}

/** In lower-case hexadecimal. */
async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
