import { portFrom, readSettings } from '@waybill/sandbox/settings';
import { expect, test } from 'vitest';

test('readSettings returns the URLs of the contract for an empty environment', () => {
  expect(readSettings({})).toMatchObject({ baseUrl: 'http://localhost:3000/v1', localUrl: 'http://localhost:3000' });
});

test('readSettings treats an empty variable as unset', () => {
  const empty = { PORT: '', HOST: '', DATABASE_URL: '', WAYBILL_DATA_DIR: '' };
  expect(readSettings(empty)).toEqual({ ...readSettings({}), env: empty });
});

test('readSettings and portFrom reject an invalid port, and name the variable, its value and an example', () => {
  for (const text of ['abc', '0', '65536', '80.5', ' 80', '-1']) {
    expect(() => readSettings({ PORT: text })).toThrow(`PORT must be a port from 1 to 65535, not '${text}'`);
    expect(() => portFrom({ MOCK_PORT: text }, 'MOCK_PORT', 4010)).toThrow(
      /^MOCK_PORT must .* for example MOCK_PORT=4010$/,
    );
  }
});

test('readSettings derives URLs that a client on this machine can open', () => {
  expect(readSettings({ HOST: '0.0.0.0', PORT: '80' }).baseUrl).toBe('http://localhost:80/v1');
  expect(readSettings({ HOST: 'fe80::1' }).localUrl).toBe('http://[fe80::1]:3000');
  expect(readSettings({ BASE_URL: 'https://api.example.com/v1' }).baseUrl).toBe('https://api.example.com/v1');
});
