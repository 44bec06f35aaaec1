import type { components } from '@waybill/contract/types';
import type { Links, Purpose } from '../storage/signed-urls.ts';

type Schemas = components['schemas'];

/**
 * An upload id (a uuid) in place of its URL. A handler's response is stored and hashed with upload ids, and its URLs are
 * signed when it is serialized: a replay has fresh URLs, and an ETag does not change with them.
 */
export type UnsignedUrl = string & { readonly isUnsigned: unique symbol };
export const unsignedUrl = (uploadId: string): UnsignedUrl => uploadId as UnsignedUrl;

export type UnsignedProof = Omit<Schemas['ProofOfDelivery'], 'signature_url' | 'photos'> & {
  signature_url: UnsignedUrl;
  photos: UnsignedUrl[];
};

/** The bodies that have signed URLs, as handlers return them. */
export interface UnsignedBodies {
  createProofUpload: Omit<Schemas['ProofUpload'], 'upload_url' | 'expires_at'> & { upload_url: UnsignedUrl };
  getProofOfDelivery: UnsignedProof;
  submitProofOfDelivery: UnsignedProof;
}

type Sign = (purpose: Purpose, uploadId: string) => ReturnType<Links['sign']>;

function signUpload(upload: UnsignedBodies['createProofUpload'], sign: Sign): Schemas['ProofUpload'] {
  const { url, expiresAt } = sign('upload', upload.upload_url);
  return { ...upload, upload_url: url, expires_at: expiresAt.toISOString() };
}

function signProof(proof: UnsignedProof, sign: Sign): Schemas['ProofOfDelivery'] {
  const urlOf = (uploadId: UnsignedUrl): string => sign('file', uploadId).url;
  return { ...proof, signature_url: urlOf(proof.signature_url), photos: proof.photos.map(urlOf) };
}

const signers: { [Id in keyof UnsignedBodies]: (body: UnsignedBodies[Id], sign: Sign) => unknown } = {
  createProofUpload: signUpload,
  getProofOfDelivery: signProof,
  submitProofOfDelivery: signProof,
};

/** The body of a response with signed URLs in place of upload ids. */
export function signUrls(operation: string, body: unknown, sign: Sign): unknown {
  const signer = operation in signers ? signers[operation as keyof UnsignedBodies] : undefined;
  return signer && body !== undefined ? signer(body as never, sign) : body;
}
