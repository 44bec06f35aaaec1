import { shipmentRequest } from '../../fixtures/shipments.ts';

/** A request head, and what follows it on the same connection. */
export interface Case {
  name: string;
  bytes: (key: string) => string;
  /** What the service returns, in order. */
  responses: string[];
}

const body = JSON.stringify(shipmentRequest());
const host = 'Host: waybill.test';
const json = 'Content-Type: application/json';
const length = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}`;

const request = (line: string, headers: string[], content = ''): string =>
  `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${content}`;
const chunk = (text: string, extension = ''): string => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const authorization = (key: string): string => `Authorization: Bearer ${key}`;
const list = (key: string, ...more: string[]): string =>
  request('GET /v1/shipments', [host, authorization(key), ...more]);
const create = (key: string, ...more: string[]): string =>
  request('POST /v1/shipments', [host, authorization(key), json, length(body), ...more], body);
const post = (key: string, headers: string[], content: string): string =>
  request('POST /v1/shipments', [host, authorization(key), json, ...headers], content);
const live = request('GET /health/live', [host]);

/** The last request on each connection: it has no response if the service has ended the connection before. */
export const last: string = request('GET /health/live', [host, 'Connection: close']);

const cases: [name: string, bytes: (key: string) => string, ...responses: string[]][] = [];
const row = (...one: (typeof cases)[number]): void => void cases.push(one);

const refused = '400 malformed_request';
const notImplemented = '501 not_implemented';
const tooLarge = '413 payload_too_large';
const longHeaders = '431 headers_too_large';

// Pipelined requests.
row('three requests at once', (key) => list(key) + create(key) + live, '200', '201', '200', '200');
row('a request after an error', (key) => list('none') + list(key), '401 unauthenticated', '200', '200');
row(
  'a request after a refused body',
  (key) => post(key, [length('{}')], '{}') + list(key),
  '400 invalid_request',
  '200',
  '200',
);
row('something else after two requests', (key) => `${list(key) + create(key)}HELLO\r\n\r\n`, '200', '201', refused);
row('empty lines before a request', (key) => `\r\n\r\n${list(key)}`, '200', '200');

// Sizes.
row('a header of 20 KB', (key) => list(key, `X-Large: ${'x'.repeat(20_000)}`), longHeaders);
row('a header of 1 MB', (key) => list(key, `X-Large: ${'x'.repeat(1_000_000)}`), longHeaders);
row('4,000 headers', (key) => list(key, ...Array<string>(4000).fill('X-Many: 1')), longHeaders);
row('a URL of 20 KB', () => request(`GET /${'x'.repeat(20_000)}`, [host]), longHeaders);
row('a URL of 10 KB', () => request(`GET /v1/shipments/${'x'.repeat(10_000)}`, [host]), '404 not_found', '200');
row('a body over the limit', (key) => post(key, ['Content-Length: 1048577'], ' '.repeat(1_048_577)), tooLarge);
row(
  'chunks over the limit',
  (key) => post(key, ['Transfer-Encoding: chunked'], chunk(' '.repeat(65_536)).repeat(20)),
  tooLarge,
);

// Chunks.
const chunked = 'Transfer-Encoding: chunked';
row('a chunked body', (key) => post(key, [chunked], `${chunk(body)}0\r\n\r\n`), '201', '200');
row(
  'a chunk for each byte',
  (key) => post(key, [chunked], `${[...body].map((one) => chunk(one)).join('')}0\r\n\r\n`),
  '201',
  '200',
);
row('a short chunk extension', (key) => post(key, [chunked], `${chunk(body, ';a=b')}0\r\n\r\n`), '201', '200');
row(
  'a chunk extension of 20 KB',
  (key) => post(key, [chunked], `${chunk(body, `;a=${'b'.repeat(20_000)}`)}0\r\n\r\n`),
  tooLarge,
);
row('a trailer', (key) => post(key, [chunked], `${chunk(body)}0\r\nX-Trailer: 1\r\n\r\n`), '201', '200');
row('a chunk length that is no number', (key) => post(key, [chunked], 'zz\r\n'), refused);
row('a chunk longer than its length', (key) => post(key, [chunked], `1\r\n${body}\r\n0\r\n\r\n`), refused);

// Two lengths: one proxy or another would take the rest of the body for a request.
row('two equal lengths', (key) => create(key, length(body)), refused);
row('two different lengths', (key) => create(key, 'Content-Length: 1'), refused);
row('a length and chunks', (key) => post(key, [length(body), chunked], body), refused);
row('chunks and a length', (key) => post(key, [chunked, length(body)], `${chunk(body)}0\r\n\r\n`), refused);
for (const coding of ['foo, chunked', 'gzip,chunked', 'identity, Chunked']) {
  row(
    `the transfer encoding ${coding}`,
    (key) => post(key, [`Transfer-Encoding: ${coding}`], `${chunk(body)}0\r\n\r\n`),
    notImplemented,
  );
}
row(
  'a transfer encoding in two headers',
  (key) => post(key, ['Transfer-Encoding: gzip', chunked], `${chunk(body)}0\r\n\r\n`),
  notImplemented,
);
row(
  'a transfer encoding of a GET',
  (key) => list(key, 'Transfer-Encoding: gzip, chunked') + chunk(body),
  notImplemented,
);
row(
  'chunks in upper case',
  (key) => post(key, ['Transfer-Encoding: CHUNKED '], `${chunk(body)}0\r\n\r\n`),
  '201',
  '200',
);
row('chunks twice', (key) => post(key, ['Transfer-Encoding: chunked, chunked'], `${chunk(body)}0\r\n\r\n`), refused);
row('an unknown transfer encoding', (key) => post(key, ['Transfer-Encoding: xchunked'], body), refused);
row(
  'chunks under another encoding',
  (key) => post(key, ['Transfer-Encoding: chunked, identity'], `${chunk(body)}0\r\n\r\n`),
  refused,
);
for (const value of ['-1', '+5', '0x5', '5 5', '5,5', '5.0', '99999999999999999999999', 'x']) {
  row(`the length ${value}`, (key) => post(key, [`Content-Length: ${value}`], body), refused);
}

// Headers that have one value.
row('two hosts', (key) => list(key, host), refused);
row('no host', () => request('GET /health/live', ['X-No: host']), refused);
for (const value of ['', 'a b', 'a,b/', 'user@a', 'a/b', '[::1', 'a:b', 'ä']) {
  row(`the host '${value}'`, () => request('GET /health/live', [`Host: ${value}`]), refused);
}
for (const value of ['[::1]:3000', '127.0.0.1', 'a:', 'A-b_c.test:80']) {
  row(`the host '${value}'`, () => request('GET /health/live', [`Host: ${value}`]), '200', '200');
}
row('two keys', (key) => list(key, authorization(key)), refused);
row('two content types', (key) => create(key, json), refused);
row('two Idempotency-Keys', (key) => create(key, 'Idempotency-Key: a', 'idempotency-key: b'), refused);

// What is not HTTP/1.1.
row('a folded header', (key) => list(key, 'X-Folded: a\r\n b'), refused);
row('a space before a colon', (key) => list(key, 'X-Space : a'), refused);
row('a header without a colon', (key) => list(key, 'broken header'), refused);
row('a header without a name', (key) => list(key, ': a'), refused);
row('NUL in a header', (key) => list(key, 'X-Nul: a\0b'), refused);
row('a control character in a header', (key) => list(key, 'X-Control: a\x01b'), refused);
row('a carriage return in a header', (key) => list(key, 'X-Return: a\rb'), refused);
row('a line feed alone', () => `GET /health/live HTTP/1.1\n${host}\n\n`, refused);
row('NUL in a URL', () => request('GET /health/\0live', [host]), refused);
row('a space in a URL', () => request('GET /health/ live', [host]), refused);
row('an unknown URL that is like the pattern of a route', () => request('GET /*/:id', [host]), '404 not_found', '200');
row('a method in lower case', () => request('get /health/live', [host]), refused);
row('an unknown method', () => request('BREW /health/live', [host]), refused);
for (const path of ['/v1/shipments', '/nothing', '/health/live']) {
  row(`a method that only WebDAV has, for ${path}`, () => request(`PROPFIND ${path}`, [host]), notImplemented);
}
row('a method of caches', () => request('PURGE /v1/shipments', [host, 'Content-Length: 1'], 'x'), notImplemented);
row('no version', () => `GET /health/live\r\n${host}\r\n\r\n`, refused);
row('version 2.0', () => `GET /health/live HTTP/2.0\r\n${host}\r\n\r\n`, refused);
row('version 1.2', () => `GET /health/live HTTP/1.2\r\n${host}\r\n\r\n`, refused);
row('the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', refused);
row('a TLS handshake', () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', refused);
row('no HTTP at all', () => 'HELLO\r\n\r\n', refused);

// Less usual HTTP.
row('HTTP/1.0 without a host', () => 'GET /health/live HTTP/1.0\r\n\r\n', '200');
row(
  'the absolute form of a URL',
  (key) => request('GET http://waybill.test/v1/shipments', [host, authorization(key)]),
  '200',
  '200',
);
row('the asterisk form', () => request('OPTIONS *', [host]), '404 not_found', '200');
row('Expect: 100-continue', (key) => create(key, 'Expect: 100-continue'), '100', '201', '200');
row('another expectation', (key) => create(key, 'Expect: bla'), '417 expectation_failed');

export const connectionCases: Case[] = cases.map(([name, bytes, ...responses]) => ({ name, bytes, responses }));
