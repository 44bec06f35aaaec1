import { tabStorage } from './tab-storage.ts';

const name = 'waybill.url';

/**
 * The URL of the service that serves this page, with the path of its API, which the operator may have changed. The tab
 * remembers it.
 */
export async function serviceUrl(): Promise<string> {
  const known = tabStorage.get(name);
  if (known) return known;
  const { servers } = await (await fetch('/openapi.json', { signal: AbortSignal.timeout(30_000) })).json();
  const url = location.origin + new URL(servers[0].url).pathname;
  tabStorage.set(name, url);
  return url;
}

/** What the pages are written with. */
const written = 'https://api.example.com/v1';

/** Shows the URL of the service where a page sets WAYBILL_URL, so that its commands can be copied and run. */
export async function showServiceUrl(): Promise<void> {
  const texts = [...document.querySelectorAll('.vp-doc pre code')]
    .filter(({ textContent }) => textContent?.includes(`WAYBILL_URL=${written}`))
    .flatMap(textNodes)
    .filter(({ nodeValue }) => nodeValue?.includes(written));
  if (texts.length === 0) return;
  const url = await serviceUrl().catch(() => written); // the request fails where only the site is hosted
  for (const text of texts) text.nodeValue = text.nodeValue?.replace(written, url) ?? null;
}

function textNodes(element: Element): Node[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Node[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}
