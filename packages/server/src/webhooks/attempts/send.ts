import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { maxAttemptBody, maxAttemptError } from '@waybill/contract/limits';
import { withTimeLimit } from '../../concurrency/time-limit.ts';
import { maxAttempts } from './socket-limits.ts';
import {
  allowedAddresses,
  allowedLookup,
  dnsResolver,
  hostOf,
  isLoopbackHost,
  type Resolve,
  webhookUrlError,
} from './url-check.ts';

/**
 * Milliseconds for a whole attempt: look-up, connection, request and response. The time of a lease and of a stop are computed
 * from it.
 */
export const attemptTimeout = 10_000;
/** Bytes of a response that are read. After that the connection is closed; the status is known. */
const maxResponseBytes = 16 * 1024;
const maxResponseHeaderBytes = 16 * 1024;
/** Responses with 1xx before the response. */
const maxInformational = 20;
/** Unused connections to a host that stay open for further deliveries: as many as it may have. And for how many milliseconds. */
const maxFreeSockets = maxAttempts;
const freeSocketTimeout = 15_000;

/** What an attempt has led to. */
export interface AttemptOutcome {
  /** The receiver has responded with 2xx. */
  succeeded: boolean;
  /** From 200 to 599. Undefined when no valid response has arrived. */
  responseStatus: number | undefined;
  /** The beginning of the response body. */
  responseBody: string | undefined;
  /** Milliseconds for which the receiver wants no further request (`Retry-After`). */
  retryAfter: number | undefined;
  /** Why no complete response has arrived. */
  error: string | undefined;
  milliseconds: number;
}

/** An attempt that has no response yet. */
export const noResponse: Omit<AttemptOutcome, 'milliseconds'> = {
  succeeded: false,
  responseStatus: undefined,
  responseBody: undefined,
  retryAfter: undefined,
  error: undefined,
};

/** Sends webhooks. `SocketLimits` limit their number. */
export interface Sender {
  /** Sends one request. It ends after the timeout at the latest, and never rejects. @param headers of the signature */
  send(url: string, headers: Record<string, string>, body: string): Promise<AttemptOutcome>;
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
  /** URL of an HTTP proxy for all hosts but this machine. It resolves their names, and refuses those of private networks. */
  proxy?: string | undefined;
}

/**
 * Makes a sender. It follows no redirect. It checks the URL and its IP address for each connection, also of URLs that were
 * allowed when their endpoint was created.
 */
export function createSender(options: SenderOptions): Sender {
  const { allowLoopback, userAgent, resolve = dnsResolver(), timeout = attemptTimeout, ca, proxy } = options;
  const common = {
    keepAlive: true,
    maxFreeSockets,
    timeout: freeSocketTimeout, // longer than an attempt
    autoSelectFamily: true,
    ...(ca && { ca }),
  };
  const direct = { ...common, lookup: allowedLookup(resolve, allowLoopback) };
  const [plain, secure] = [new http.Agent(direct), new https.Agent(direct)];
  const outside = proxy === undefined ? secure : new https.Agent({ ...common, proxyEnv: { HTTPS_PROXY: proxy } });
  const agentOf = (url: URL): http.Agent => {
    if (url.protocol === 'http:') return plain; // this machine
    return isLoopbackHost(hostOf(url)) ? secure : outside;
  };

  const requestTo = (url: URL, headers: Record<string, string>, body: string): ClientRequest =>
    (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: agentOf(url),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': userAgent,
      },
      maxHeaderSize: maxResponseHeaderBytes,
      timeout: 2 * timeout, // only this ends a connection to a silent proxy: `destroy` does not
    });

  async function exchange(url: string, headers: Record<string, string>, body: string): Promise<Response> {
    const reason = webhookUrlError(url, allowLoopback);
    if (reason) throw new Error(`The URL ${reason}.`);
    const target = new URL(url);
    // Node looks up names only: an IP address is checked here.
    const host = hostOf(target);
    if (isIP(host)) await allowedAddresses(host, resolve, allowLoopback);
    const end = performance.now() + timeout;
    for (;;) {
      const request = requestTo(target, headers, body);
      try {
        // Whatever happens to the request, its timer ends the attempt.
        return await withTimeLimit(responseTo(request, body), end - performance.now(), () => {
          throw new Error(`No complete response within ${timeout / 1000} s.`);
        });
      } catch (error) {
        request.destroy();
        if (!isClosedBefore(request, error)) throw error;
      }
    }
  }

  return {
    async send(url, headers, body) {
      const start = performance.now();
      const end = (result: Partial<AttemptOutcome>): AttemptOutcome => ({
        ...noResponse,
        ...result,
        milliseconds: Math.round(performance.now() - start),
      });
      try {
        const { status, retryAfter, body: responseBody } = await exchange(url, headers, body);
        return end({ succeeded: status < 300, responseStatus: status, retryAfter, responseBody });
      } catch (error) {
        return end({ error: describe(error) });
      }
    },
    close() {
      for (const agent of [plain, secure, outside]) agent.destroy();
    },
  };
}

/** Whether the receiver may have closed an idle connection before it got the request: another connection may be open. */
const isClosedBefore = ({ reusedSocket }: ClientRequest, error: unknown): boolean =>
  reusedSocket && ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');

interface Response {
  /** From 200 to 599. */
  status: number;
  retryAfter: number | undefined;
  body: string;
}

/** The response is not what HTTP allows here. */
class InvalidResponse extends Error {
  readonly code = 'HPE_INVALID_RESPONSE';
}

/** Sends the body of a request and reads the response. It may never settle, such as while a proxy is silent. */
function responseTo(request: ClientRequest, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    request
      .once('response', (response: IncomingMessage) => resolve(readResponse(response)))
      .on('information', () => {
        if (++informational > maxInformational) request.destroy(new InvalidResponse());
      })
      .once('upgrade', (_response: IncomingMessage, socket: Duplex) => {
        socket.destroy();
        reject(new InvalidResponse());
      })
      .on('error', reject)
      // Without any of the events above.
      .once('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })))
      .end(body);
  });
}

/** Reads the beginning of a response, and closes the connection if there is more. */
async function readResponse(response: IncomingMessage): Promise<Response> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) throw new InvalidResponse();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxResponseBytes) break; // leaving the loop destroys the response
  }
  // PostgreSQL cannot store NUL.
  const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8').replaceAll('\0', '');
  const retryAfter = retryAfterOf(response.headers['retry-after']);
  return { status, retryAfter, body: text.slice(0, maxAttemptBody).toWellFormed() };
}

/** Milliseconds; `Retry-After` is seconds or a date (RFC 9110, section 10.2.3). Undefined if it is neither. */
function retryAfterOf(value = ''): number | undefined {
  if (/^\d+$/.test(value)) return 1000 * Number(value);
  if (!/^[A-Z][a-z]+,? /.test(value)) return undefined;
  // One of the three forms of dates has no zone.
  const milliseconds = Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`) - Date.now();
  return milliseconds > 0 ? milliseconds : undefined;
}

/** The reason of a failure, without addresses of the network of this service, such as that of its proxy. */
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
    ETIMEDOUT: 'The host cannot be reached.',
    ERR_PROXY_TUNNEL: 'The proxy of the service could not reach the host.',
    HPE_HEADER_OVERFLOW: 'The response has too many headers.',
  };
  const text = known[code] ?? (code.startsWith('HPE_') ? 'The response is not valid HTTP.' : message);
  return (text || 'The request failed.').slice(0, maxAttemptError);
}
