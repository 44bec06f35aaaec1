import {
  allowedAddresses,
  canonicalUrl,
  hostOf,
  type Resolve,
  webhookUrlError,
} from '@waybill/server/webhooks/url-check';
import { expect, test } from 'vitest';

/** Names of these tests → the IP addresses that they resolve to. */
const names: Record<string, string[]> = {
  'private.example.com': ['10.1.2.3'],
  'metadata.example.com': ['169.254.169.254'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
  'xn--privt-jra.example.com': ['10.1.2.3'],
  'xn--mller-kva.example.com': ['93.184.215.14'],
  'v6.example.com': ['fd12:3456::1'],
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
};
const resolve: Resolve = async (name) => names[name] ?? [];

/** The IP addresses that a delivery to a URL connects to. @throws why none is sent */
async function addressesOf(url: string): Promise<string[]> {
  const error = webhookUrlError(url, false);
  if (error) throw new Error(error);
  return allowedAddresses(hostOf(new URL(url)), resolve, false);
}

const hostile: [what: string, url: string][] = [
  ['no TLS', 'http://hooks.example.com/'],
  ['another scheme', 'ftp://hooks.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['no host', 'https:///path'],
  ['a relative path', '/v1/shipments'],
  ['localhost', 'https://localhost/'],
  ['a name below localhost', 'https://api.localhost/'],
  ['loopback', 'https://127.0.0.1/'],
  ['another loopback address', 'https://127.1.2.3/'],
  ['the unspecified address', 'https://0.0.0.0/'],
  ['the network 0', 'https://0.1.2.3/'],
  ['a private network of class A', 'https://10.0.0.1/'],
  ['a private network of class B', 'https://172.16.0.1/'],
  ['the end of a private network of class B', 'https://172.31.255.255/'],
  ['a private network of class C', 'https://192.168.1.1/'],
  ['link-local, the metadata of clouds', 'https://169.254.169.254/latest/meta-data/'],
  ['carrier-grade NAT', 'https://100.64.0.1/'],
  ['the metadata of Azure', 'https://168.63.129.16/'],
  ['multicast', 'https://224.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['a reserved network', 'https://240.0.0.1/'],
  ['a network for benchmarks', 'https://198.18.0.1/'],
  ['a network for documentation', 'https://203.0.113.7/'],
  ['IPv6 loopback', 'https://[::1]/'],
  ['IPv6 unspecified', 'https://[::]/'],
  ['IPv6 link-local', 'https://[fe80::1]/'],
  ['IPv6 unique local', 'https://[fd00:ec2::254]/'],
  ['IPv6 site-local', 'https://[fec0::1]/'],
  ['IPv6 multicast', 'https://[ff02::1]/'],
  ['IPv4-mapped IPv6', 'https://[::ffff:7f00:1]/'],
  ['IPv4-compatible IPv6', 'https://[::7f00:1]/'],
  ['IPv4-translated IPv6', 'https://[::ffff:0:7f00:1]/'],
  ['NAT64', 'https://[64:ff9b::a00:1]/'],
  ['local NAT64', 'https://[64:ff9b:1::a00:1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001:0:7f00:1::]/'],
  ['IPv6 for documentation', 'https://[2001:db8::1]/'],
  ['a decimal IPv4 address', 'https://2130706433/'],
  ['a hexadecimal IPv4 address', 'https://0x7f000001/'],
  ['an octal IPv4 address', 'https://017700000001/'],
  ['a short IPv4 address', 'https://127.1/'],
  ['a public IPv4 address in hexadecimal', 'https://0x5d.0xb8.0xd7.0x0e/'],
  ['full-width digits', 'https://１２７.0.0.1/'],
  ['full-width digits in a name', 'https://hooks１.example.com/'],
  ['full-width letters of this machine', 'https://ｌｏｃａｌｈｏｓｔ/'],
  ['an international name of this network', 'https://müller.local/'],
  ['an international name of one label', 'https://münchen/'],
  ['an international name of which a part is percent-encoded', 'https://m%C3%BCller.example.com/'],
  ['an international name with a percent-encoded dot', 'https://müller%2Eexample.com/'],
  ['an international name after a user name', 'https://müller@example.com/'],
  ['an international path after a host in another form', 'https://0x5d.0xb8.0xd7.0x0e/ü'],
  ['an international name behind a backslash', 'https://0x7f.1\\müller.xn--a/'],
  ['an international name with a private address', 'https://privät.example.com/'],
  ['a path that is too long when it is percent-encoded', `https://hooks.example.com/${'ü'.repeat(400)}`],
  ['a percent-encoded host', 'https://%31%32%37.0.0.1/'],
  ['an ideographic full stop', 'https://hooks。example.com/'],
  ['a backslash', 'https:\\\\hooks.example.com\\'],
  ['a tab in the scheme', 'ht\ttps://hooks.example.com/'],
  ['a user name', 'https://user@hooks.example.com/'],
  ['a password', 'https://user:secret@hooks.example.com/'],
  ['an empty user name', 'https://@hooks.example.com/'],
  ['a host that looks like a user name', 'https://hooks.example.com:443@127.0.0.1/'],
  ['a fragment', 'https://hooks.example.com/#end'],
  ['the port of SSH', 'https://hooks.example.com:22/'],
  ['the port of SMTP', 'https://hooks.example.com:25/'],
  ['the port 0', 'https://hooks.example.com:0/'],
  ['a port that does not exist', 'https://hooks.example.com:65536/'],
  ['a name without a domain', 'https://intranet/'],
  ['a dot at the end', 'https://hooks.example.com./'],
  ['a name of multicast DNS', 'https://printer.local/'],
  ['a name of a cloud', 'https://metadata.google.internal/'],
  ['a name with a private address', 'https://private.example.com/'],
  ['a name with the address of metadata', 'https://metadata.example.com/'],
  ['a name with a public and a loopback address', 'https://mixed.example.com/'],
  ['a name with a unique local address', 'https://v6.example.com/'],
];

test.for(hostile)('a webhook URL is refused: %s', async ([, url]) => {
  await expect(addressesOf(url)).rejects.toThrow(/must|is not a URL|private network/);
});

const publicAddresses = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
test.for<[url: string, addresses: string[]]>([
  ['https://hooks.example.com/', publicAddresses],
  ['https://hooks.example.com', publicAddresses],
  ['https://HOOKS.example.com/Path?key=1', publicAddresses],
  ['https://hooks.example.com:8443/waybill', publicAddresses],
  ['https://93.184.215.14/', publicAddresses.slice(0, 1)],
  ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', publicAddresses.slice(1)],
])('the webhook URL %s is accepted', async ([url, addresses]) => {
  expect(await addressesOf(url)).toEqual(addresses);
});

test.for<[url: string, stored: string]>([
  ['HTTPS://Hooks.Example.COM/Path?a=B', 'https://hooks.example.com/Path?a=B'],
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['https://hooks.example.com:443/a', 'https://hooks.example.com/a'],
  ['https://müller.example.com/grün', 'https://xn--mller-kva.example.com/gr%C3%BCn'],
  ['https://MÜLLER。example.com/', 'https://xn--mller-kva.example.com/'],
])('the webhook URL %s is stored as %s', async ([url, stored]) => {
  expect(await addressesOf(url)).toContain('93.184.215.14');
  expect(canonicalUrl(url)).toBe(stored);
  expect(canonicalUrl(stored)).toBe(stored);
});

test('a delivery to a host name without an IP address is refused', async () => {
  await expect(addressesOf('https://none.example.com/')).rejects.toThrow('none.example.com has no IP address');
});

test('with WEBHOOK_ALLOW_LOOPBACK only hosts of this machine may have http', () => {
  for (const url of ['http://localhost:3001/', 'http://127.0.0.1:3001/', 'http://[::1]:3001/', 'https://localhost/']) {
    expect(webhookUrlError(url, true), url).toBeUndefined();
  }
  for (const url of ['http://hooks.example.com/', 'http://10.0.0.1/', 'https://10.0.0.1/', 'http://0.0.0.0/']) {
    expect(webhookUrlError(url, true), url).toMatch(/./);
  }
});
