import { bytesOf, isBlob } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import type { KnownFileKind, KnownFileType, TrackingNumber, UploadId } from './generated/types.ts';
import type { Operations } from './operations.ts';

/** A file of a shipment: for its proof of delivery, an exception or a document. */
export interface ProofFile {
  /** The shipment's tracking number. */
  tracking_number: TrackingNumber;
  /** Purpose of the file. */
  kind: KnownFileKind;
  /** Default: what the first bytes of the file are. */
  content_type?: KnownFileType | undefined;
  /** The bytes: of an image at most 10 MiB, of a document at most 20 MiB. */
  file: Uint8Array | ArrayBuffer | Blob;
}

/** The files of a proof of delivery: PNG, JPEG or WebP, at most 10 MiB each. */
export interface ProofFiles {
  /** The shipment's tracking number. */
  tracking_number: TrackingNumber;
  /** The bytes of the signature. An unattended delivery has none. */
  signature?: Uint8Array | ArrayBuffer | Blob | undefined;
  /** At most 10. */
  photos?: (Uint8Array | ArrayBuffer | Blob)[] | undefined;
}

/** The upload ids, as `submitProofOfDelivery` takes them. */
export interface UploadedProof {
  /** Upload id of the signature. Absent without one. */
  signature?: UploadId;
  /** Upload ids of the photos, in the same order. */
  photos: UploadId[];
}

/** Creates an upload and sends the file to its URL: see `Client.uploadProofFile`. */
export async function uploadProofFile(
  operations: Pick<Operations, 'createProofUpload' | 'putProofFile'>,
  { tracking_number, kind, content_type, file }: ProofFile,
  options: CallOptions = {},
): Promise<UploadId> {
  // A copy, so that the bytes match their SHA-256 even if the caller changes them meanwhile.
  const bytes = isBlob(file) ? await file.arrayBuffer() : bytesOf(file)?.buffer;
  if (!bytes) throw new TypeError('file must be a Blob or bytes');
  const type = content_type ?? fileType(new Uint8Array(bytes));
  const { headers, upload_id, upload_url } = await operations.createProofUpload(
    { tracking_number, kind, content_type: type, size: bytes.byteLength, sha256: await sha256(bytes) },
    options,
  );
  await operations.putProofFile({ url: upload_url, file: new Blob([bytes], { type }) }, { ...options, headers });
  return upload_id;
}

/** Uploads the files of a proof one after the other: see `Client.uploadProof`. */
export async function uploadProof(
  operations: Pick<Operations, 'createProofUpload' | 'putProofFile'>,
  { tracking_number, signature, photos = [] }: ProofFiles,
  options: CallOptions = {},
): Promise<UploadedProof> {
  const upload = (kind: KnownFileKind, file: Uint8Array | ArrayBuffer | Blob) =>
    uploadProofFile(operations, { tracking_number, kind, file }, options);
  const uploaded: UploadedProof = { ...(signature && { signature: await upload('signature', signature) }), photos: [] };
  for (const photo of photos) uploaded.photos.push(await upload('photo', photo));
  return uploaded;
}

/** The media type by the signature of the format, in the first 1,024 bytes. The service checks the rest. */
function fileType(bytes: Uint8Array): KnownFileType {
  const text = String.fromCharCode(...bytes.subarray(0, 1024));
  if (text.startsWith('\x89PNG')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'image/tiff';
  if (/^[^<]*%PDF-/.test(text)) return 'application/pdf'; // scanners and printers write other bytes before it
  throw new TypeError('The file is not a PNG, JPEG, WebP, PDF or TIFF file.');
}

/** In lower-case hexadecimal. */
async function sha256(bytes: ArrayBuffer): Promise<string> {
  if (!crypto.subtle) throw new TypeError('Uploads need HTTPS: without it, browsers have no crypto.subtle for SHA-256');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
