import { Readable } from 'node:stream';
import type { components } from '@waybill/contract/types';
import type {
  cachingOf,
  ResponseOf as HttpResponseOf,
  OperationId,
  OperationResponse,
  SerializedResponse,
} from '@waybill/http/operations';
import type { ResponseCheck } from '@waybill/http/response-check';
import { etagOf, jsonResponse, withCaching } from '@waybill/http/responses';
import type { StreamedBody } from '@waybill/http/streamed-body';
import type { FastifyReply } from 'fastify';
import type { Visibility } from '../auth/visibility.ts';
import type { SecretBox } from '../database/secret-box.ts';
import type { EncryptedSecret } from '../database/tables.ts';
import type { Links, Purpose } from './signed-urls.ts';

type Schemas = components['schemas'];

/**
 * An upload id (a uuid) in place of its URL. A handler's response is stored and hashed with upload ids, and its URLs are
 * signed when it is serialized: a replay has fresh URLs, and an ETag does not change with them. To the compiler it is no string,
 * so that only the bodies of `ConcealedBodies` can contain it.
 */
type UnsignedUrl = { readonly isUnsigned: unique symbol };
export const unsignedUrl = (uploadId: string): UnsignedUrl => uploadId as unknown as UnsignedUrl;
const uploadIdOf = (url: UnsignedUrl): string => url as unknown as string;

export type UnsignedProof = Omit<Schemas['ProofOfDelivery'], 'signature_url' | 'photos'> & {
  signature_url?: UnsignedUrl;
  photos: UnsignedUrl[];
};

export type UnsignedDocument = Omit<Schemas['DocumentWithUrl'], 'url'> & { url: UnsignedUrl };

type UnsignedException = Omit<Schemas['ShipmentExceptionWithPhotos'], 'photos'> & { photos: UnsignedUrl[] };

/** A stored response has the secret encrypted. It is decrypted when the response is serialized. */
type EncryptedEndpoint = Omit<Schemas['WebhookEndpointWithSecret'], 'secret'> & { secret: EncryptedSecret };

type EncryptedAccess = Omit<Schemas['AccessWithToken'], 'token' | 'url'> & {
  token: EncryptedSecret;
  url?: EncryptedSecret;
};

/** The bodies that have signed URLs or secrets, as handlers return them. */
export interface ConcealedBodies {
  addDocument: UnsignedDocument;
  createAccess: EncryptedAccess;
  createWebhookEndpoint: EncryptedEndpoint;
  rotateWebhookSecret: EncryptedEndpoint;
  createProofUpload: Omit<Schemas['ProofUpload'], 'upload_url' | 'expires_at'> & { upload_url: UnsignedUrl };
  getException: UnsignedException;
  listDocuments: { data: UnsignedDocument[] };
  getProofOfDelivery: UnsignedProof;
  submitProofOfDelivery: UnsignedProof;
}

/** A documented success of an operation, before its URLs are signed. */
export type ResponseOf<Id extends OperationId> = HttpResponseOf<Id, ConcealedBodies>;

type Decryption = Pick<SecretBox, 'decrypt' | 'decryptToken'>;

/** What replaces upload ids and encrypted secrets. */
interface Revealing extends Decryption {
  sign(purpose: Purpose, uploadId: string): ReturnType<Links['sign']>;
}
type Sign = Revealing['sign'];

function signUpload(upload: ConcealedBodies['createProofUpload'], sign: Sign): Schemas['ProofUpload'] {
  const { url, expiresAt } = sign('upload', uploadIdOf(upload.upload_url));
  return { ...upload, upload_url: url, expires_at: expiresAt.toISOString() };
}

/** Makes the function that signs the URL of a file. */
const fileUrls =
  (sign: Sign) =>
  (url: UnsignedUrl): string =>
    sign('file', uploadIdOf(url)).url;

function signProof(proof: UnsignedProof, sign: Sign): Schemas['ProofOfDelivery'] {
  const { signature_url, photos, ...others } = proof;
  const urlOf = fileUrls(sign);
  return { ...others, ...(signature_url && { signature_url: urlOf(signature_url) }), photos: photos.map(urlOf) };
}

const signDocument = (document: UnsignedDocument, sign: Sign): Schemas['DocumentWithUrl'] => ({
  ...document,
  url: fileUrls(sign)(document.url),
});

const signException = (exception: UnsignedException, sign: Sign): Schemas['ShipmentExceptionWithPhotos'] => ({
  ...exception,
  photos: exception.photos.map(fileUrls(sign)),
});

const showSecret = (endpoint: EncryptedEndpoint, { decrypt }: Revealing): Schemas['WebhookEndpointWithSecret'] => ({
  ...endpoint,
  secret: decrypt(endpoint.secret),
});

const revealers: { [Id in keyof ConcealedBodies]: (body: ConcealedBodies[Id], revealing: Revealing) => unknown } = {
  addDocument: (document, { sign }) => signDocument(document, sign),
  listDocuments: ({ data }, { sign }): Schemas['DocumentList'] => ({
    data: data.map((document) => signDocument(document, sign)),
  }),
  createAccess: ({ token, url, ...access }, { decryptToken }): Schemas['AccessWithToken'] => ({
    ...access,
    token: decryptToken(token),
    ...(url !== undefined && { url: decryptToken(url) }),
  }),
  createProofUpload: (upload, { sign }) => signUpload(upload, sign),
  getException: (exception, { sign }) => signException(exception, sign),
  getProofOfDelivery: (proof, { sign }) => signProof(proof, sign),
  submitProofOfDelivery: (proof, { sign }) => signProof(proof, sign),
  createWebhookEndpoint: showSecret,
  rotateWebhookSecret: showSecret,
};

/**
 * Puts signed URLs in place of upload ids, and secrets in place of encrypted ones. Most bodies have neither.
 * @param accountId '' for a file operation, which signs nothing
 */
export type RevealBody = (operation: string, body: unknown, accountId: string, now: Date) => unknown;

export const bodyRevealer =
  ({ links, decrypt, decryptToken }: Decryption & { links: Links }): RevealBody =>
  (operation, body, accountId, now) => {
    const reveal = operation in revealers ? revealers[operation as keyof ConcealedBodies] : undefined;
    if (!reveal || body === undefined) return body;
    const sign: Sign = (purpose, uploadId) => links.sign(purpose, accountId, uploadId, now);
    return reveal(body as never, { sign, decrypt, decryptToken });
  };

interface SerializerOptions {
  revealBody: RevealBody;
  visibility: Visibility;
  /** Set when CHECK_RESPONSES is true. */
  checkResponse: ResponseCheck | undefined;
}

/**
 * Removes what the access of the request does not show, signs the URLs of a response, decrypts its secret and turns its body
 * into JSON by the contract's schema.
 * @param caching with `etag` the response has one, and becomes 304 when the request has the same
 * @throws {ContractViolation} when responses are checked and it is not in the contract
 */
export type Serialize = (
  id: OperationId,
  response: OperationResponse,
  reply: FastifyReply,
  now: Date,
  caching?: ReturnType<typeof cachingOf>,
) => SerializedResponse;

export const serializer =
  ({ revealBody, visibility, checkResponse }: SerializerOptions): Serialize =>
  (id, response, reply, now, caching) => {
    const { accountId, access } = reply.request;
    const { status, etag } = response;
    const body = access ? visibility.visibleBody(id, response.body, access) : response.body;
    const headers = { ...response.headers, ...(etag !== undefined && { etag }) };
    const revealed = revealBody(id, body, accountId, now);
    const isJson = revealed !== undefined && !(revealed instanceof Readable) && typeof revealed !== 'function';
    const sent = isJson
      ? jsonResponse(status, headers, revealed, reply)
      : { status, headers, body: revealed as StreamedBody };
    // The ETag does not depend on signed URLs, which change every few minutes.
    const versionOf = () => etag ?? etagOf(revealed === body ? String(sent.body) : JSON.stringify(body));
    const final = withCaching(sent, caching, versionOf, reply);
    // After the timeout, a 503 is sent instead, and the reply has its headers.
    const check = reply.sent ? undefined : checkResponse;
    check?.(id, {
      status: final.status,
      headers: { ...reply.getHeaders(), ...final.headers },
      body: final.body === undefined ? undefined : revealed,
    });
    return final;
  };
