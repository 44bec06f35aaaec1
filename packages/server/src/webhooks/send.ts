import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { allowedAddresses, allowedLookup, dnsResolver, type Resolve } from './host-addresses.ts';
import { hostOf, webhookUrlError } from './url-rules.ts';

/**
 * Milliseconds for a whole attempt: look-up, connection, request and response. The time of a lease and of a stop are computed
 * from it.
 */
export const attemptTimeout = 10_000;
/** Bytes of a response that are read. After that the connection is closed; the status is known. */
const maxResponseBytes = 16 * 1024;
/** Characters of a response body that are stored. */
const maxStoredCharacters = 1000;
const maxResponseHeaderBytes = 16 * 1024;
/** Connections to one host, and unused ones that stay open for further deliveries. */
const maxSockets = 64;
const maxFreeSockets = 4;

/** What an attempt has led to. */
export interface Attempt {
  /** The receiver has responded with 2xx. */
  succeeded: boolean;
  /** Undefined when no response has arrived. */
  status: number | undefined;
  /** The beginning of the response body. */
  responseBody: string | undefined;
  /** Why no complete response has arrived. */
  error: string | undefined;
  milliseconds: number;
}

/** Sends webhooks. */
export interface Sender {
  /** Sends one request. Never rejects. @param headers of the signature */
  send(url: string, headers: Record<string, string>, body: string): Promise<Attempt>;
  close(): void;
}

export interface SenderOptions {
  allowLoopback: boolean;
  /** `User-Agent` of the requests. */
  userAgent: string;
  /** Default: the name servers of the system. */
  resolve?: Resolve;
  /** Milliseconds for an attempt. */
  timeout?: number;
  /** Certificates that are trusted instead of those of Node. */
  ca?: string;
}

/**
 * Makes a sender. It follows no redirect. It checks the URL and its IP address for each connection, also of URLs that were
 * allowed when their endpoint was created.
 */
export function createSender(options: SenderOptions): Sender {
  const { allowLoopback, userAgent, resolve = dnsResolver(), timeout = attemptTimeout, ca } = options;
  const common = {
    keepAlive: true,
    maxSockets,
    maxFreeSockets,
    lookup: allowedLookup(resolve, allowLoopback),
    autoSelectFamily: true,
  };
  const agents = { http: new http.Agent(common), https: new https.Agent({ ...common, ...(ca && { ca }) }) };

  async function exchange(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Response> {
    const isSecure = url.protocol === 'https:';
    const response = await new Promise<IncomingMessage>((resolvePromise, reject) => {
      const request = (isSecure ? https : http).request(url, {
        method: 'POST',
        agent: isSecure ? agents.https : agents.http,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': userAgent,
        },
        maxHeaderSize: maxResponseHeaderBytes,
        signal,
      });
      request.once('response', resolvePromise).once('error', reject).end(body);
    });
    return { status: response.statusCode ?? 0, body: await readBeginning(response) };
  }

  return {
    async send(url, headers, body) {
      const start = performance.now();
      const signal = AbortSignal.timeout(timeout);
      const end = (result: Partial<Attempt>): Attempt => ({
        ...{ succeeded: false, status: undefined, responseBody: undefined, error: undefined, ...result },
        milliseconds: Math.round(performance.now() - start),
      });
      try {
        const reason = webhookUrlError(url, allowLoopback);
        if (reason) return end({ error: `The URL ${reason}.` });
        const target = new URL(url);
        // Node looks up names only: an IP address is checked here.
        const host = hostOf(target);
        if (isIP(host)) await allowedAddresses(host, resolve, allowLoopback);
        const { status, body: responseBody } = await exchange(target, headers, body, signal);
        return end({ succeeded: status >= 200 && status < 300, status, responseBody });
      } catch (error) {
        return end({ error: signal.aborted ? `No complete response within ${timeout / 1000} s.` : describe(error) });
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Response {
  status: number;
  body: string;
}

/** Reads the beginning of a response, and closes the connection if there is more. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxResponseBytes) break; // leaving the loop destroys the response
  }
  // PostgreSQL cannot store NUL.
  const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8').replaceAll('\0', '');
  return text.slice(0, maxStoredCharacters).toWellFormed();
}

/** The reason of a failure, without addresses of the network of this service. */
function describe(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const known: Record<string, string> = {
    ECONNREFUSED: 'The connection was refused.',
    ECONNRESET: 'The connection was closed.',
    ENOTFOUND: 'The host name does not exist.',
    ENODATA: 'The host name has no IP address.',
    ETIMEOUT: 'The name servers did not respond.',
    ESERVFAIL: 'The name servers failed.',
    EHOSTUNREACH: 'The host cannot be reached.',
    ENETUNREACH: 'The host cannot be reached.',
    HPE_HEADER_OVERFLOW: 'The response has too many headers.',
  };
  const text = known[code] ?? (code.startsWith('HPE_') ? 'The response is not valid HTTP.' : message);
  return (text || 'The request failed.').slice(0, 200);
}
