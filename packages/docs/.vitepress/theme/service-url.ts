import { defaultBaseUrl } from '@waybill/contract/operations';

/** Where `start` runs the service; the pages are written with it. */
const written = new URL(defaultBaseUrl).origin;

/** Shows the URL of the service that serves this page, so that commands can be copied and run. */
export function showServiceUrl(): void {
  if (location.origin === written) return;
  for (const element of document.querySelectorAll('.vp-doc code')) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode } = walker;
      currentNode.nodeValue = currentNode.nodeValue?.replaceAll(written, location.origin) ?? null;
    }
  }
}
