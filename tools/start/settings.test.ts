import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('readSettings returns the URLs of the contract for an empty environment', () => {
  expect(readSettings({})).toMatchObject({
    baseUrl: 'http://localhost:3000/v1',
    mockUrl: 'http://localhost:4010/v1',
    localUrl: 'http://localhost:3000',
  });
});

test('readSettings treats an empty variable as unset', () => {
  expect(readSettings({ PORT: '', HOST: '', DATABASE_URL: '', WAYBILL_DATA_DIR: '' })).toEqual(readSettings({}));
});

test('readSettings rejects an invalid port, and names the variable, its value and an example', () => {
  for (const text of ['abc', '0', '65536', '80.5', ' 80', '-1']) {
    expect(() => readSettings({ PORT: text })).toThrow(`PORT must be a port from 1 to 65535, not '${text}'`);
    expect(() => readSettings({ MOCK_PORT: text })).toThrow(/^MOCK_PORT must .* for example MOCK_PORT=4010$/);
  }
  expect(() => readSettings({ PORT: '4010' })).toThrow('PORT and MOCK_PORT are both 4010');
});

test('readSettings derives URLs that a client on this machine can open', () => {
  expect(readSettings({ HOST: '0.0.0.0', PORT: '80' }).baseUrl).toBe('http://localhost:80/v1');
  expect(readSettings({ HOST: 'fe80::1' }).localUrl).toBe('http://[fe80::1]:3000');
  expect(readSettings({ BASE_URL: 'https://api.example.com/v1' }).baseUrl).toBe('https://api.example.com/v1');
});
