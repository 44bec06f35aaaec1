import { allowedAddresses, canonicalUrl, hostOf, webhookUrlError } from '@waybill/server/webhooks/attempts/url-check';
import { expect, test } from 'vitest';

const [v4, v6] = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];

/** Names of these tests → the IP addresses that they resolve to. */
const names: Record<string, string[]> = {
  'private.example.com': ['10.1.2.3'],
  'metadata.example.com': ['169.254.169.254'],
  'mixed.example.com': [v4, '127.0.0.1'],
  'xn--privt-jra.example.com': ['10.1.2.3'],
  'xn--mller-kva.example.com': [v4],
  'v6.example.com': ['fd12:3456::1'],
  'hooks.example.com': [v4, v6],
};
const resolve = async (name: string): Promise<string[]> => names[name] ?? [];

/** The IP addresses that a delivery to a URL connects to. @throws why none is sent */
async function addressesOf(url: string): Promise<string[]> {
  const error = webhookUrlError(url, false);
  if (error) throw new Error(error);
  return allowedAddresses(hostOf(new URL(url)), resolve, false);
}

test.for<[what: string, ...urls: string[]]>([
  ['another scheme', 'http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd'],
  ['no host', 'https:///path', '/v1/shipments', 'javascript:alert(1)'],
  ['localhost', 'https://localhost/', 'https://api.localhost/', 'https://ｌｏｃａｌｈｏｓｔ/'],
  ['loopback or the network 0', 'https://127.0.0.1/', 'https://127.1.2.3/', 'https://0.0.0.0/', 'https://0.1.2.3/'],
  ['a private network', 'https://10.0.0.1/', 'https://172.16.0.1/', 'https://172.31.255.255/', 'https://192.168.1.1/'],
  ['cloud metadata or NAT', 'https://169.254.169.254/latest/', 'https://168.63.129.16/', 'https://100.64.0.1/'],
  ['multicast, broadcast or reserved', 'https://224.0.0.1/', 'https://255.255.255.255/', 'https://240.0.0.1/'],
  ['benchmarks, documentation', 'https://198.18.0.1/', 'https://203.0.113.7/', 'https://[2001:db8::1]/'],
  ['IPv6 loopback, unspecified or multicast', 'https://[::1]/', 'https://[::]/', 'https://[ff02::1]/'],
  ['IPv6 of a network', 'https://[fe80::1]/', 'https://[fec0::1]/', 'https://[fd00:ec2::254]/'],
  ['IPv4 in IPv6', 'https://[::ffff:7f00:1]/', 'https://[::7f00:1]/', 'https://[::ffff:0:7f00:1]/'],
  ['NAT64', 'https://[64:ff9b::a00:1]/', 'https://[64:ff9b:1::a00:1]/'],
  ['6to4 or Teredo', 'https://[2002:7f00:1::]/', 'https://[2001:0:7f00:1::]/'],
  ['an unusual IPv4 address', 'https://2130706433/', 'https://0x7f000001/', 'https://017700000001/', 'https://127.1/'],
  ['a public IPv4 address in hexadecimal', 'https://0x5d.0xb8.0xd7.0x0e/', 'https://0x5d.0xb8.0xd7.0x0e/ü'],
  ['full-width characters', 'https://１２７.0.0.1/', 'https://hooks１.example.com/', 'https://hooks。example.com/'],
  ['an international private host', 'https://müller.local/', 'https://münchen/', 'https://privät.example.com/'],
  ['percent-encoding', 'https://m%C3%BCller.example.com/', 'https://müller%2Eexample.com/', 'https://%31.0.0.1/'],
  ['a path that is too long when it is percent-encoded', `https://hooks.example.com/${'ü'.repeat(400)}`],
  [
    'a backslash or tab',
    'https:\\\\hooks.example.com\\',
    'https://0x7f.1\\müller.xn--a/',
    'ht\ttps://hooks.example.com/',
  ],
  ['a user name', 'https://user@hooks.example.com/', 'https://@hooks.example.com/', 'https://müller@example.com/'],
  ['a password', 'https://user:secret@hooks.example.com/', 'https://hooks.example.com:443@127.0.0.1/'],
  ['a fragment', 'https://hooks.example.com/#end'],
  ['a port', ...[0, 22, 25, 65_536].map((port) => `https://hooks.example.com:${port}/`)],
  ['a name without a domain, or with a dot at the end', 'https://intranet/', 'https://hooks.example.com./'],
  ['a name of a network', 'https://printer.local/', 'https://metadata.google.internal/'],
  ['a name without an address', 'https://none.example.com/'],
  ['a name with a private address', ...['private', 'metadata', 'mixed', 'v6'].map((n) => `https://${n}.example.com/`)],
])('a webhook URL is refused: %s', async ([, ...urls]) => {
  for (const url of urls)
    await expect(addressesOf(url), url).rejects.toThrow(
      /must|is not a URL|has (no IP|an IP address of a private network)/,
    );
});

test.for<[url: string, stored: string, addresses: string[]]>([
  ['HTTPS://Hooks.Example.COM/Path?a=B', 'https://hooks.example.com/Path?a=B', [v4, v6]],
  ['https://hooks.example.com', 'https://hooks.example.com/', [v4, v6]],
  ['https://hooks.example.com:443/a', 'https://hooks.example.com/a', [v4, v6]],
  ['https://hooks.example.com:8443/waybill', 'https://hooks.example.com:8443/waybill', [v4, v6]],
  ['https://93.184.215.14/', 'https://93.184.215.14/', [v4]],
  [`https://[${v6}]/`, `https://[${v6}]/`, [v6]],
  ['https://müller.example.com/grün', 'https://xn--mller-kva.example.com/gr%C3%BCn', [v4]],
  ['https://MÜLLER。example.com/', 'https://xn--mller-kva.example.com/', [v4]],
])('the webhook URL %s is accepted, and stored as %s', async ([url, stored, addresses]) => {
  expect(await addressesOf(url)).toEqual(addresses);
  expect([canonicalUrl(url), canonicalUrl(stored)]).toEqual([stored, stored]);
});

test('with WEBHOOK_ALLOW_LOOPBACK only hosts of this machine may have http', () => {
  for (const url of ['http://localhost:3001/', 'http://127.0.0.1:3001/', 'http://[::1]:3001/', 'https://localhost/'])
    expect(webhookUrlError(url, true), url).toBeUndefined();
  for (const url of ['http://hooks.example.com/', 'http://10.0.0.1/', 'https://10.0.0.1/', 'http://0.0.0.0/'])
    expect(webhookUrlError(url, true), url).toMatch(/./);
});
