import { isIPv4 } from 'node:net';
import { defaultBaseUrl } from '@waybill/contract/operations';
import { basePathOf } from '../config/urls.ts';
import type { Config } from '../config.ts';
import { type Finding, failed, passed } from './finding.ts';

/** The path that the contract's servers end in: the major version, such as `/v1`. */
const version = basePathOf(defaultBaseUrl);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Checks that clients can use the URLs that responses contain. */
export function checkUrls({ BASE_URL, CDN_URL, HOST }: Config): Finding[] {
  return [checkBaseUrl(BASE_URL, HOST), ...(CDN_URL === BASE_URL ? [] : [checkScheme('CDN_URL', CDN_URL)])];
}

function checkBaseUrl(url: string, host: string): Finding {
  const name = 'BASE_URL';
  if (!basePathOf(url).endsWith(version)) {
    return failed(name, `is ${url}, without the major version`, `Append ${version}: clients send it by the contract.`);
  }
  if (isLoopback(new URL(url).hostname) && !isLoopback(host)) {
    return failed(
      name,
      `is ${url}, which clients on other machines cannot reach, but HOST is ${host}`,
      `Set it to the public URL, such as https://api.example.com${version}.`,
    );
  }
  return checkScheme(name, url);
}

function checkScheme(name: string, url: string): Finding {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return passed(name, `is ${url}`);
  if (isLoopback(hostname)) return passed(name, `is ${url}, for clients on this machine`);
  return failed(
    name,
    `is ${url}: API keys and files are sent without encryption`,
    'Use https, and a proxy that ends TLS in front of the service.',
  );
}
