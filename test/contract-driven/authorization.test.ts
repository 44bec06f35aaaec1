import { describe, expect } from 'vitest';
import { contractOperations } from '../fixtures/contract.ts';
import { problemOf, send } from '../fixtures/http.ts';
import { allScopes, test } from '../fixtures/test.ts';

describe.each(contractOperations.filter(({ scope }) => scope !== null))('$id', (operation) => {
  const { scope } = operation;

  test('answers 401 without a good key, before anything else is looked at', async ({ service, account }) => {
    const [prefix, keyId, secret = ''] = account.key.split('_');
    const flipped = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
    const bad = [undefined, '', 'nonsense', `${prefix}_${keyId}_${flipped}`, `${prefix}_unknownkeyid_${secret}`];
    for (const key of bad) {
      const response = await send(service.baseUrl, operation, { ...(key !== undefined && { key }), body: { no: 1 } });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  test('answers 403 to a key with every scope but its own, before anything is validated', async ({
    service,
    account,
  }) => {
    const key = await account.keyWith(allScopes.filter((other) => other !== scope));
    const response = await send(service.baseUrl, operation, { key, body: { no: 1 } });
    expect(await problemOf(response)).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  test('lets a key with only its scope through', async ({ service, account }) => {
    const key = await account.keyWith(allScopes.filter((own) => own === scope));
    const response = await send(service.baseUrl, operation, { key });
    expect([401, 403]).not.toContain(response.status);
    expect(response.status).toBeLessThan(500);
  });
});
