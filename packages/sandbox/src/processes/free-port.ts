import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no outgoing connection takes the port before it is used. */
const [first, count] = [20_000, 10_000] as const;

/** A free port of 127.0.0.1, for programs whose port must be known before they listen. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= 50; attempt++) {
    const port = first + Math.floor(Math.random() * count);
    if (!(await listenError(port, '127.0.0.1'))) return port;
  }
  throw new Error('No port of 127.0.0.1 is free.');
}

/** Listens for a moment. @returns the error code of the system; undefined when the port is free */
export function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(undefined)));
  });
}
