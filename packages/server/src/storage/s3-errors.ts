import type { S3Location } from './s3-url.ts';
import { StorageError } from './storage.ts';

const setRegion = 'Set the region of the bucket in the URL, as region=eu-central-1';

/** Errors of S3 and of its client: what to do about them. */
const remedies: Record<string, (location: S3Location) => string> = {
  AccessDenied: ({ bucket, prefix }) =>
    `Allow s3:PutObject, s3:GetObject and s3:DeleteObject on arn:aws:s3:::${bucket}/${prefix}*`,
  AuthorizationHeaderMalformed: () => setRegion,
  CredentialsProviderError: () => 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use a role',
  ExpiredToken: () => 'Renew AWS_SESSION_TOKEN',
  InvalidAccessKeyId: () => 'Correct AWS_ACCESS_KEY_ID',
  InvalidToken: () => 'Correct AWS_SESSION_TOKEN',
  NoSuchBucket: ({ bucket }) => `Create the bucket ${bucket} or choose another`,
  PermanentRedirect: () => setRegion,
  RequestTimeTooSkewed: () => 'Correct the clock of this machine',
  SignatureDoesNotMatch: () => 'Correct AWS_SECRET_ACCESS_KEY',
};

/**
 * Returns the error of a call with what to do about it, and without what the client adds to it, such as the signed request
 * and its session token.
 */
export function storageErrorFrom(error: unknown, command: string, location: S3Location): StorageError {
  if (error instanceof StorageError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  // After attempts to several IP addresses, Node leaves the message empty.
  const systemCode = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason = systemCode ? message || systemCode : `${name}: ${message}`;
  const remedy =
    message === 'Region is missing' ? setRegion : (remedies[name]?.(location) ?? 'Check the endpoint and the network');
  return new StorageError(`${command} failed: ${reason.replace(/\.$/, '')}. ${remedy}`);
}
