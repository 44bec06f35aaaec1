import { createServer } from 'node:http';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { expect, test } from 'vitest';
import { chromiumMissing, hasChromium, launchChromium } from '../../fixtures/chromium.ts';
import { png } from '../../fixtures/images.ts';
import { declare, signatureUrl } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { proofFor, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

/** Serves an empty page, so that there is a page of this origin. */
async function emptyPage(): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>'));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs in the browser. Each result is what the page got, or null when the browser refused it. */
async function useApi({ api, origin, key, upload, fileUrl, image }: Input): Promise<Record<string, unknown>> {
  const attempt = async (send: () => Promise<unknown>) => send().catch(() => null);
  const authorization = `Bearer ${key}`;
  const json = async (response: Response): Promise<Record<string, unknown>> => JSON.parse(await response.text());
  return {
    list: await attempt(async () => {
      const response = await fetch(`${api}/shipments`, { headers: { authorization } });
      return [response.status, (await json(response)).has_more, response.headers.has('RateLimit')];
    }),
    error: await attempt(async () => (await json(await fetch(`${api}/shipments`))).code),
    upload: await attempt(async () => {
      const body = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
      return (await fetch(upload.upload_url, { method: upload.method, headers: upload.headers, body })).status;
    }),
    file: await attempt(async () => (await (await fetch(fileUrl)).blob()).type),
    contract: await attempt(async () => (await json(await fetch(`${origin}/openapi.json`))).openapi),
  };
}

interface Input {
  api: string;
  origin: string;
  key: string;
  upload: { upload_url: string; method: string; headers: Record<string, string> };
  fileUrl: string;
  image: string;
}

test.skipIf(!hasChromium)(
  `a page of an origin in CORS_ORIGINS uses the API, another one only signed URLs and the contract${chromiumMissing}`,
  async () => {
    await using allowed = await emptyPage();
    await using other = await emptyPage();
    await using service = await startService({ CORS_ORIGINS: allowed.origin });
    const account = await newAccount(service);
    const { client, key } = account;
    const { tracking_number } = await shipmentIn(account, 'in_transit');
    const image = png();
    const first = await declare(account, tracking_number, image);
    const second = await declare(account, tracking_number, image);
    const path = { tracking_number };
    const proof = await client.submitProofOfDelivery({ ...path, ...(await proofFor(account, tracking_number)) });

    const browser = await launchChromium();
    try {
      const resultsOn = async (origin: string, upload: Input['upload']) => {
        const page = await browser.newPage();
        await page.goto(origin);
        return page.evaluate(useApi, {
          api: service.baseUrl,
          origin: service.origin,
          key,
          fileUrl: signatureUrl(proof),
          upload,
          image: Buffer.from(image).toString('base64'),
        });
      };
      const open = { upload: 204, file: 'image/png', contract: '3.1.0' };
      expect(await resultsOn(allowed.origin, first)).toEqual({
        list: [200, false, true],
        error: 'unauthenticated',
        ...open,
      });
      expect(await resultsOn(other.origin, second)).toEqual({ list: null, error: null, ...open });
    } finally {
      await browser.close();
    }
  },
);
