import { createHmac, timingSafeEqual } from 'node:crypto';
import { bytesOf, uuidFrom } from '../database/identifiers.ts';
import { Problem } from '../http/problems.ts';

/** Signed URLs: the only permission that a file needs. */
export interface Links {
  /**
   * Where to PUT the bytes of an upload or to GET a file, and until when. A file's URL stays the same for some minutes,
   * so that it can be cached.
   */
  sign(purpose: Purpose, accountId: string, uploadId: string, now: Date): { url: string; expiresAt: Date };
  /**
   * What a token allows.
   * @throws {Problem} not_found when it was not signed by us for this purpose, link_expired when it is too old
   */
  open(purpose: Purpose, token: string, now: Date): { accountId: string; uploadId: string; expiresAt: Date };
}

export type Purpose = 'upload' | 'file';

const uploadLife = 15 * 60;
const fileLife = 60 * 60;
/** File URLs change this often, in seconds. */
const fileStep = 5 * 60;
const macLength = 16;
const purposeByte: Record<Purpose, number> = { upload: 1, file: 2 };

const mac = (key: string, claim: Buffer): Buffer =>
  createHmac('sha256', key).update(claim).digest().subarray(0, macLength);

/** @param keys secrets; the first signs, all verify, so that a key can be replaced without breaking URLs */
export function signedLinks(keys: string[], baseUrl: string, cdnUrl: string): Links {
  const token = (purpose: Purpose, accountId: string, uploadId: string, expires: number): string => {
    const claim = Buffer.alloc(5);
    claim.writeUInt8(purposeByte[purpose]);
    claim.writeUInt32BE(expires, 1);
    const whole = Buffer.concat([claim, bytesOf(accountId), bytesOf(uploadId)]);
    return Buffer.concat([whole, mac(keys[0] ?? '', whole)]).toString('base64url');
  };

  return {
    sign(purpose, accountId, uploadId, now) {
      const seconds = Math.floor(now.getTime() / 1000);
      const expires =
        purpose === 'upload' ? seconds + uploadLife : Math.ceil((seconds + fileLife) / fileStep) * fileStep;
      const folder = purpose === 'upload' ? `${baseUrl}/uploads` : cdnUrl;
      return { url: `${folder}/${token(purpose, accountId, uploadId, expires)}`, expiresAt: new Date(expires * 1000) };
    },
    open(purpose, signed, now) {
      const bytes = Buffer.from(signed, 'base64url');
      const claim = bytes.subarray(0, -macLength);
      // 71 characters hold two bits more than the bytes: only one spelling of a token is the one that was signed.
      const canonical = bytes.toString('base64url') === signed;
      const good =
        canonical && keys.map((key) => timingSafeEqual(mac(key, claim), bytes.subarray(-macLength))).includes(true);
      if (!good || claim[0] !== purposeByte[purpose]) throw new Problem('not_found', 'There is nothing at this URL.');
      const expiresAt = new Date(claim.readUInt32BE(1) * 1000);
      if (expiresAt <= now) throw new Problem('link_expired', 'The link has expired.');
      return { accountId: uuidFrom(claim.subarray(5, 21)), uploadId: uuidFrom(claim.subarray(21)), expiresAt };
    },
  };
}
