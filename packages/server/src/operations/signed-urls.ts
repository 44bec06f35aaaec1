import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '@waybill/http/problems';
import { uuidFromBytes, uuidToBytes } from '../database/identifiers.ts';

/** Signs and verifies the URLs of files. A signed URL grants access without a key. */
export interface Links {
  /**
   * Makes the URL for the PUT of an upload or the GET of a file. The URL of a file stays the same for some minutes, so
   * that responses can be cached.
   */
  sign(purpose: Purpose, accountId: string, uploadId: string, now: Date): { url: string; expiresAt: Date };
  /**
   * Verifies the token of a signed URL.
   * @throws {Problem} not_found when its signature is not valid for this purpose, link_expired when it has expired
   */
  open(purpose: Purpose, token: string, now: Date): { accountId: string; uploadId: string; expiresAt: Date };
  /** The account of a token, which may have expired; undefined when its signature is not valid for this purpose. */
  accountOf(purpose: Purpose, token: string): string | undefined;
}

export type Purpose = 'upload' | 'file';

/** Seconds for which an upload URL is valid. */
const uploadTtl = 15 * 60;
/** Minimum seconds for which a file URL is valid. */
const fileTtl = 60 * 60;
/** Seconds after which the URL of a file changes. */
const fileUrlInterval = 5 * 60;
const macLength = 16;
/** A byte for the purpose, four for the time, two UUIDs and the MAC. */
const tokenBytes = 5 + 2 * 16 + macLength;
const purposeByte: Record<Purpose, number> = { upload: 1, file: 2 };

const macOf = (key: string, claim: Buffer): Buffer =>
  createHmac('sha256', key).update(claim).digest().subarray(0, macLength);

/** @param keys secrets: the first signs, all verify, so that a key can be replaced while its URLs stay valid */
export function signedLinks(keys: string[], baseUrl: string, cdnUrl: string): Links {
  const tokenFor = (purpose: Purpose, accountId: string, uploadId: string, expires: number): string => {
    const claim = Buffer.alloc(5);
    claim.writeUInt8(purposeByte[purpose]);
    claim.writeUInt32BE(expires, 1);
    const signedClaim = Buffer.concat([claim, uuidToBytes(accountId), uuidToBytes(uploadId)]);
    return Buffer.concat([signedClaim, macOf(keys[0] ?? '', signedClaim)]).toString('base64url');
  };

  const read = (purpose: Purpose, token: string): ReturnType<Links['open']> | undefined => {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== tokenBytes) return undefined;
    const claim = bytes.subarray(0, -macLength);
    // The last of 71 characters has two unused bits: of the tokens that decode to these bytes, one is valid.
    const isCanonical = bytes.toString('base64url') === token;
    const isSigned =
      isCanonical && keys.map((key) => timingSafeEqual(macOf(key, claim), bytes.subarray(-macLength))).includes(true);
    if (!isSigned || claim[0] !== purposeByte[purpose]) return undefined;
    return {
      accountId: uuidFromBytes(claim.subarray(5, 21)),
      uploadId: uuidFromBytes(claim.subarray(21)),
      expiresAt: new Date(claim.readUInt32BE(1) * 1000),
    };
  };

  return {
    sign(purpose, accountId, uploadId, now) {
      const seconds = Math.floor(now.getTime() / 1000);
      const expires =
        purpose === 'upload' ? seconds + uploadTtl : Math.ceil((seconds + fileTtl) / fileUrlInterval) * fileUrlInterval;
      const folder = purpose === 'upload' ? `${baseUrl}/uploads` : `${cdnUrl}/files`;
      return {
        url: `${folder}/${tokenFor(purpose, accountId, uploadId, expires)}`,
        expiresAt: new Date(expires * 1000),
      };
    },
    open(purpose, token, now) {
      const link = read(purpose, token);
      if (!link) throw new Problem('not_found', 'There is nothing at this URL.');
      if (link.expiresAt <= now) throw new Problem('link_expired', 'The link has expired.');
      return link;
    },
    accountOf: (purpose, token) => read(purpose, token)?.accountId,
  };
}
