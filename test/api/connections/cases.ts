import { shipmentRequest } from '../../fixtures/shipments.ts';

/** A request head, and what follows it on the same connection. `KEY` stands for the key of the account. */
export interface Case {
  name: string;
  bytes: string;
  /** What the service returns, in order. */
  responses: string[];
}

const body = JSON.stringify(shipmentRequest());
const host = 'Host: waybill.test';
const authorization = 'Authorization: Bearer KEY';
const json = 'Content-Type: application/json';
const length = `Content-Length: ${body.length}`;
const chunked = 'Transfer-Encoding: chunked';

const request = (line: string, headers: string[], content = ''): string =>
  `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${content}`;
const live = request('GET /health/live', [host]);
/** The last request on each connection: it has no response if the service has ended the connection before. */
export const last: string = request('GET /health/live', [host, 'Connection: close']);
const health = (...headers: string[]): string => request('GET /health/live', headers);
const list = (...more: string[]): string => request('GET /v1/shipments', [host, authorization, ...more]);
const post = (headers: string[], content: string): string =>
  request('POST /v1/shipments', [host, authorization, json, ...headers], content);
const create = (...more: string[]): string => post([length, ...more], body);
const chunk = (text: string, extension = ''): string => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const coded = (coding: string, ...more: string[]): string =>
  post([`Transfer-Encoding: ${coding}`, ...more], `${chunk(body)}0\r\n\r\n`);

const cases: Case[] = [];
const row = (name: string, bytes: string, ...responses: string[]): void => void cases.push({ name, bytes, responses });
/** Rows with one response, which closes the connection, or with one before the last request. */
const rows = (response: string, requests: Record<string, string>): void => {
  const isOpen = ['200', '201', '404 not_found'].includes(response);
  for (const [name, bytes] of Object.entries(requests)) row(name, bytes, response, ...(isOpen ? ['200'] : []));
};

row('three requests at once', list() + create() + live, '200', '201', '200', '200');
row('a request after an error', list().replace('KEY', 'none') + list(), '401 unauthenticated', '200', '200');
row('a request after a refused body', post(['Content-Length: 2'], '{}') + list(), '400 invalid_request', '200', '200');
row('Expect: 100-continue', create('Expect: 100-continue'), '100', '201', '200');
row('another expectation', create('Expect: bla'), '417 expectation_failed');

rows('431 headers_too_large', {
  'a header of 20 KB': list(`X-Large: ${'x'.repeat(20_000)}`),
  'a URL of 20 KB': request(`GET /${'x'.repeat(20_000)}`, [host]),
});
rows('413 payload_too_large', {
  'a body over the limit': post(['Content-Length: 1048577'], ' '.repeat(1_048_577)),
  'chunks over the limit': post([chunked], chunk(' '.repeat(65_536)).repeat(20)),
  'a chunk extension of 20 KB': post([chunked], `${chunk(body, `;a=${'b'.repeat(20_000)}`)}0\r\n\r\n`),
});
rows('404 not_found', {
  'a URL of 10 KB': request(`GET /v1/shipments/${'x'.repeat(10_000)}`, [host]),
  'the asterisk form': request('OPTIONS *', [host]),
  'half of an object, which a DELETE ignores': request(
    'DELETE /v1/webhook_endpoints/whe_01kjpx8p02e00800000000010h',
    [host, authorization, json, 'Content-Length: 5'],
    '{"a":',
  ),
});
rows('201', {
  'a body at the limit': post(['Content-Length: 1048576'], body.padEnd(1_048_576)),
  'a chunked body': coded('chunked'),
  'a few chunks of one byte': post([chunked], `${[...body].map((byte) => chunk(byte)).join('')}0\r\n\r\n`),
  'a trailer': post([chunked], `${chunk(body)}0\r\nX-Trailer: 1\r\n\r\n`),
});
rows('200', {
  'the absolute form of a URL': request('GET http://waybill.test/v1/shipments', [host, authorization]),
  ...Object.fromEntries(
    ['[::1]:3000', '127.0.0.1', 'a:', 'A-b_c.test:80'].map((one) => [`the host '${one}'`, health(`Host: ${one}`)]),
  ),
});
rows('501 not_implemented', {
  'the transfer encoding foo, chunked': coded('foo, chunked'),
  'the transfer encoding identity, Chunked': coded('identity, Chunked'),
  'a transfer encoding of a GET': list('Transfer-Encoding: gzip, chunked') + chunk(body),
  'a method that only WebDAV has': request('PROPFIND /v1/shipments', [host]),
  'a method of caches': request('PURGE /v1/shipments', [host, 'Content-Length: 1'], 'x'),
});
rows('400 malformed_request', {
  // Two lengths: one proxy or another would take the rest of the body for a request.
  'two equal lengths': create(length),
  'two different lengths': create('Content-Length: 1'),
  'a length and chunks': post([length, chunked], body),
  'chunks and a length': coded('chunked', length),
  'chunks twice': coded('chunked, chunked'),
  'an unknown transfer encoding': coded('xchunked'),
  'chunks under another encoding': coded('chunked, identity'),
  'chunks of one byte': post([chunked], `${chunk(' ').repeat(40_000)}${chunk(body)}0\r\n\r\n`),
  'a chunk length that is no number': post([chunked], 'zz\r\n'),
  'a chunk longer than its length': post([chunked], `1\r\n${body}\r\n0\r\n\r\n`),
  ...Object.fromEntries(
    ['-1', '+5', '0x5', '5,5', '99999999999999999999999'].map((one) => [
      `the length ${one}`,
      post([`Content-Length: ${one}`], body),
    ]),
  ),
  // Headers that have one value.
  'two hosts': list(host),
  'no host': health('X-No: host'),
  ...Object.fromEntries(
    ['', 'a b', 'a,b/', 'user@a', '[::1', 'a:b', 'ä'].map((one) => [`the host '${one}'`, health(`Host: ${one}`)]),
  ),
  'two keys': list(authorization),
  'two content types': create(json),
  'two Idempotency-Keys': create('Idempotency-Key: a', 'idempotency-key: b'),
  // What is not HTTP/1.1.
  'a folded header': list('X-Folded: a\r\n b'),
  'a space before a colon': list('X-Space : a'),
  'NUL in a header': list('X-Nul: a\0b'),
  'a carriage return in a header': list('X-Return: a\rb'),
  'version 2.0': `GET /health/live HTTP/2.0\r\n${host}\r\n\r\n`,
});

export const connectionCases: Case[] = cases;
