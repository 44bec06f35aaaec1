import { type Mutant, mutant } from '../mutant.ts';

const src = 'packages/server/src';

/** Access: API keys, scopes, rate limits, signed URLs and files. */
export const access: Mutant[] = [
  mutant(
    'any scope suffices',
    `${src}/contract/routes.ts`,
    'if (!key.scopes.includes(scope))',
    'if (key.scopes.length === 0)',
    'every-operation/authorization',
  ),
  mutant(
    'an expired key is valid',
    `${src}/auth/authenticate.ts`,
    'return key.expiresAt === null || key.expiresAt > new Date();',
    'return true;',
    'api-keys cli/keys',
  ),
  mutant(
    'a revoked key is valid',
    `${src}/auth/queries.ts`,
    "    .where('revoked_at', 'is', null)\n",
    '',
    'api-keys cli/keys',
  ),
  mutant(
    'the key of a disabled account is valid',
    `${src}/auth/queries.ts`,
    "    .where('disabled_at', 'is', null)\n",
    '',
    'api-keys cli/keys',
  ),
  mutant(
    'the secret of a key is not checked',
    `${src}/auth/authenticate.ts`,
    '!secretMatches(secret, key.secretHash)',
    'secretMatches(secret, key.secretHash) === undefined',
    'every-operation/authorization',
  ),
  {
    name: 'the secret of a key is stored unhashed',
    file: `${src}/auth/keys.ts`,
    edits: [
      ['import { hash, randomInt,', 'import { randomInt,'],
      ["hash('sha256', secret, 'buffer')", 'Buffer.from(secret)'],
    ],
    killedBy: 'api-keys cli/keys',
  },
  mutant(
    'the rate limit allows one more request',
    `${src}/rate-limit/limit.ts`,
    'if (used <= quota) return headers;',
    'if (used <= quota + 1) return headers;',
    'rate-limits/limits',
  ),
  mutant(
    'the keys of an account share a rate limit',
    `${src}/auth/authenticate.ts`,
    "limit.count('key', claim.keyId)",
    "limit.count('key', found.accountId)",
    'rate-limits/limits',
  ),
  mutant(
    'failed authentications are not counted',
    `${src}/contract/routes.ts`,
    'const address = clientAddress(request);',
    'const address = clientAddress(request) + request.id;',
    'rate-limits/limits',
  ),
  mutant(
    'the signature of a URL is not checked',
    `${src}/storage/signed-urls.ts`,
    'if (!isSigned ||',
    'if ((!isSigned && !isCanonical) ||',
    'proof/proof',
  ),
  mutant(
    'an expired URL is valid',
    `${src}/storage/signed-urls.ts`,
    'if (expiresAt <= now)',
    'if (expiresAt.getTime() <= now.getTime() - 1e12)',
    'contract-coverage/coverage',
  ),
  mutant(
    'the URL of an upload reads files',
    `${src}/storage/signed-urls.ts`,
    'claim[0] !== purposeByte[purpose])',
    'claim[0] !== purposeByte[purpose] && claim[0] !== purposeByte.upload)',
    'proof/proof',
  ),
  mutant(
    'the SHA-256 of a file is not checked',
    `${src}/proof/receive-file.ts`,
    'if (!hash.digest().equals(declared.sha256))',
    'if (hash.digest().length !== declared.sha256.length)',
    'proof/proof',
  ),
  mutant(
    'the type of a file is not checked',
    `${src}/proof/receive-file.ts`,
    'if (type !== declared.content_type) {',
    "if (type === 'text/plain') {",
    'proof/proof',
  ),
  mutant(
    'a file may be one byte larger than declared',
    `${src}/proof/receive-file.ts`,
    'if (size > declared.size) {',
    'if (size > declared.size + 1) {',
    'proof/proof',
  ),
];
