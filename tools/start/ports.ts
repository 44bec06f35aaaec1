import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { SettingsError } from './settings.ts';

/** How long the children of a start that was killed may take to go away, in milliseconds. */
const patience = 1_000;

/**
 * Makes sure that a port can be listened on, before anything is started.
 * @param variable where the port comes from
 * @throws {SettingsError} naming the variable when another program has the port
 */
export async function requireFreePort(variable: string, port: number, host: string): Promise<void> {
  // A program on the other loopback would get what is meant for us: clients may take localhost for either.
  const hosts = host === '127.0.0.1' ? [host, '::1'] : [host];
  for (const each of hosts) {
    for (const deadline = Date.now() + patience; ; await setTimeout(50)) {
      const fault = await listen(port, each);
      if (fault === undefined || (each !== host && fault !== 'EADDRINUSE')) break;
      if (fault === 'EADDRINUSE' && Date.now() < deadline) continue;
      throw new SettingsError(explain(variable, port, each, fault));
    }
  }
}

function explain(variable: string, port: number, host: string, fault: string): string {
  const example = `for example ${variable}=${port < 65_535 ? port + 1 : port - 1}`;
  if (fault === 'EADDRINUSE') {
    return `${variable} ${port} is taken by another program: stop that program, or choose another port, ${example}`;
  }
  if (fault === 'EACCES') return `${variable} ${port} is not open to ordinary users: choose one above 1023, ${example}`;
  return `Nothing can listen on HOST ${host} (${fault}): it must be an address of this machine, for example HOST=127.0.0.1`;
}

/** Resolves with the system's error code when the port cannot be listened on. */
function listen(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(undefined)));
  });
}
