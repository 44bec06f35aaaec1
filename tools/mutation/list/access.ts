import { type Mutant, mutant } from '../mutant.ts';

const src = 'packages/server/src';

/** Who may do what: keys, scopes, limits, signed URLs. */
export const access: Mutant[] = [
  mutant(
    'scope weakened: any scope will do',
    `${src}/contract/adapter.ts`,
    'if (!key.scopes.includes(scope))',
    'if (key.scopes.length === 0)',
    'contract-driven/authorization',
  ),
  mutant(
    'key expiry ignored',
    `${src}/auth/authenticate.ts`,
    'return key.expiresAt === null || key.expiresAt > new Date();',
    'return true;',
    'api-keys cli/keys',
  ),
  mutant(
    'revoked keys still work',
    `${src}/auth/queries.ts`,
    "    .where('revoked_at', 'is', null)\n",
    '',
    'api-keys cli/keys',
  ),
  mutant(
    'keys of a disabled account still work',
    `${src}/auth/queries.ts`,
    "    .where('disabled_at', 'is', null)\n",
    '',
    'api-keys cli/keys',
  ),
  mutant(
    'secret of a key unchecked',
    `${src}/auth/authenticate.ts`,
    '!secretMatches(secret, key.secretHash)',
    'secretMatches(secret, key.secretHash) === undefined',
    'contract-driven/authorization',
  ),
  {
    name: 'key not hashed',
    file: `${src}/auth/keys.ts`,
    edits: [
      ['import { hash, randomInt,', 'import { randomInt,'],
      ["hash('sha256', secret, 'buffer')", 'Buffer.from(secret)'],
    ],
    killedBy: 'api-keys cli/keys',
  },
  mutant(
    'rate limit off by one',
    `${src}/rate-limit/limit.ts`,
    'if (used <= quota) return headers;',
    'if (used <= quota + 1) return headers;',
    'rate-limits/limits',
  ),
  mutant(
    'rate limit shared by all keys of an account',
    `${src}/auth/authenticate.ts`,
    "limit.count('key', claim.keyId)",
    "limit.count('key', found.account)",
    'rate-limits/limits',
  ),
  mutant(
    'failed authentication not counted',
    `${src}/contract/adapter.ts`,
    'const address = addressOf(request);',
    'const address = request.id;',
    'rate-limits/limits',
  ),
  mutant(
    'signature of a URL unchecked',
    `${src}/storage/signed-urls.ts`,
    'if (!good ||',
    'if ((!good && !canonical) ||',
    'proof/proof',
  ),
  mutant(
    'expiry of a URL ignored',
    `${src}/storage/signed-urls.ts`,
    'if (expiresAt <= now)',
    'if (expiresAt.getTime() <= now.getTime() - 1e12)',
    'contract/coverage',
  ),
  mutant(
    'an upload’s URL opens files',
    `${src}/storage/signed-urls.ts`,
    'claim[0] !== purposeByte[purpose])',
    'claim[0] !== purposeByte[purpose] && claim[0] !== purposeByte.upload)',
    'proof/proof',
  ),
  mutant(
    'SHA-256 of a file unchecked',
    `${src}/proof/receive-file.ts`,
    'if (!hash.digest().equals(declared.sha256))',
    'if (hash.digest().length !== declared.sha256.length)',
    'proof/proof',
  ),
  mutant(
    'type of a file unchecked',
    `${src}/proof/receive-file.ts`,
    'if (type !== declared.content_type) {',
    "if (type === 'text/plain') {",
    'proof/proof',
  ),
  mutant(
    'a file may be a byte larger than declared',
    `${src}/proof/receive-file.ts`,
    'if (size > declared.size) {',
    'if (size > declared.size + 1) {',
    'proof/proof',
  ),
];
