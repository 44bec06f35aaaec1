import { expect, test } from 'vitest';
import { notWithCluster } from '../../fixtures/service/not-with-cluster.ts';
import { type Service, type Settings, startService } from '../../fixtures/service/service.ts';

/** `X-Forwarded-For` values → for each, how many requests to a path had been counted for the same IP address. */
async function counted({ baseUrl }: Service, values: string[], path = '/shipments'): Promise<number[]> {
  const counts = [];
  for (const value of values) {
    const { headers } = await fetch(baseUrl + path, { headers: { 'x-forwarded-for': value } });
    counts.push(999 - Number(/^"address";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]));
  }
  return counts;
}

test('the entries of X-Forwarded-For that trusted proxies wrote set the IP address', async () => {
  const TRUST_PROXY = '127.0.0.1, 10.0.0.0/8,2001:db8:ffff::/48';
  await using service = await startService({ RATE_LIMIT: '1000', TRUST_PROXY });
  const oneAddress = {
    'entries to the left of the client': ['198.51.100.1, 203.0.113.9', '198.51.100.2,203.0.113.9', '203.0.113.9'],
    'two trusted proxies': ['198.51.100.1, 203.0.113.8, 10.0.0.1', '203.0.113.8, 2001:db8:ffff::7'],
    'one IPv6 network of 64 bits': ['2001:db8:1:1::1', '2001:DB8:1:1:ffff:0:0:2', '2001:db8:1:1::1%x'],
    'IPv4 in IPv6': ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107', '[::ffff:203.0.113.7]:1'],
    'IPv4 with a port': ['203.0.113.6', '203.0.113.6:51234', '198.51.100.1:80, ::ffff:203.0.113.6:443, 10.0.0.1:8080'],
    'IPv6 with a port': ['2001:db8:3:1::1', '[2001:db8:3:1::1]', '[2001:db8:3:1::1]:51234', '2001:db8:3:1:0:0:0:1:443'],
    'no address, so the proxy itself': ['', 'unknown', '203.0.113.300', '1', '0x7f.1', '127.0.0.1'],
    'no address beside a trusted proxy': ['198.51.100.1, b, 10.3.3.3', '203.0.113.07, 10.3.3.3', '[a]:1, 10.3.3.3'],
  };
  for (const [name, values] of Object.entries(oneAddress))
    expect([name, await counted(service, values)]).toEqual([name, values.map((_, index) => index)]);
  const different = ['203.0.113.1:80', '203.0.113.2:80', '2001:db8:2:1::1', '2001:db8:2:2::1', '::ffff:203.0.113.3'];
  expect(await counted(service, different)).toEqual(different.map(() => 0));
});

test.for<[Settings, string]>([
  [{}, '/files/none'],
  [{ TRUST_PROXY: '10.0.0.0/8' }, '/shipments'],
])('with %o, X-Forwarded-For of an untrusted peer is ignored for %s', async ([settings, path]) => {
  if (!settings.TRUST_PROXY) notWithCluster('its instances trust the proxy by default');
  await using service = await startService({ RATE_LIMIT: '1000', ...settings });
  const values = ['203.0.113.1', '10.0.0.1', '203.0.113.1, 10.0.0.1', '::1', 'x'];
  expect(await counted(service, values, path)).toEqual([0, 1, 2, 3, 4]);
});
