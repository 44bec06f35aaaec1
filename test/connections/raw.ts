import { once } from 'node:events';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { components } from '@waybill/contract/types';
import type { Service } from '../fixtures/service.ts';

/** A response as it was read from a connection. */
export interface RawResponse {
  status: number;
  /** By name in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** A connection to a service, and everything that the service has sent on it. */
export interface Connection {
  socket: Socket;
  /** Resolves when the service has ended the connection. */
  closed: Promise<Buffer>;
}

export function open({ origin }: Pick<Service, 'origin'>): Promise<Connection> {
  const { hostname, port } = new URL(origin);
  return openTo({ host: hostname, port: Number(port) });
}

/** Opens a connection from another IP address of this machine to a service that listens on all of them. */
export const openFrom = (localAddress: string, port: number): Promise<Connection> =>
  openTo({ host: localAddress, port, localAddress });

async function openTo(options: TcpNetConnectOpts): Promise<Connection> {
  const socket = connect(options);
  const received: Buffer[] = [];
  socket.on('data', (bytes) => received.push(bytes));
  socket.on('error', () => {}); // a reset is one of the ways in which a service ends a connection
  const closed = new Promise<Buffer>((resolve) => {
    socket.on('close', () => resolve(Buffer.concat(received)));
  });
  await once(socket, 'connect');
  return { socket, closed };
}

/** Sends bytes, and returns the responses when the service has ended the connection. */
export async function exchange(service: Service, bytes: string | Buffer): Promise<RawResponse[]> {
  const { socket, closed } = await open(service);
  socket.write(bytes);
  return responsesOf(await closed);
}

/**
 * Parses the responses that a service has sent.
 * @throws when it is not a sequence of complete responses
 */
export function responsesOf(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? [];
    if (end < 0 || !status) throw new Error(`This is not a response: ${rest.toString('latin1', 0, 500)}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
      }),
    );
    const isEmpty = status.startsWith('1') || status === '204' || status === '304';
    if (!isEmpty && headers['content-length'] === undefined)
      throw new Error(`A response without length: ${statusLine}`);
    const length = isEmpty ? 0 : Number(headers['content-length']);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) throw new Error(`A response of ${body.length} instead of ${length} bytes: ${statusLine}`);
    responses.push({ status: Number(status), headers, body: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
  return responses;
}

/** Warnings and errors in a service's log, except load shedding, which a busy machine may cause. */
export const failuresIn = (log: Record<string, unknown>[]): unknown[] =>
  log.filter(({ level, msg }) => Number(level) >= 40 && msg !== 'The service is overloaded.');

/** The status of a response, with the code if it is a problem. */
export function summaryOf({ status, headers, body }: RawResponse): string {
  if (!headers['content-type']?.startsWith('application/problem+json')) return String(status);
  const { code } = JSON.parse(body) as components['schemas']['Problem'];
  return `${status} ${code}`;
}
