import { problemDocument } from '@waybill/contract/problem-document';
import { listenError } from '../processes/free-port.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { SettingsError, urlOf } from './settings.ts';

/** Time for the children of a killed `start` to end, in milliseconds. */
const waitTimeout = 1_000;

/**
 * Checks that a port is free before anything is started.
 * @param variable the environment variable that sets the port
 * @throws {SettingsError} naming the variable when the port is in use or not allowed
 */
export async function requireFreePort(variable: string, port: number, host: string): Promise<void> {
  // Clients may resolve localhost to ::1, where another program would receive their requests.
  const hosts = host === '127.0.0.1' ? [host, '::1'] : [host];
  for (const each of hosts) {
    let code: string | undefined;
    await waitUntil(async () => {
      code = await listenError(port, each);
      return code !== 'EADDRINUSE';
    }, waitTimeout);
    const isWithoutHost = each !== host && code !== 'EADDRINUSE'; // a machine without IPv6
    if (!code || isWithoutHost) continue;
    const isTaken = code === 'EADDRINUSE';
    throw new SettingsError(
      isTaken && (await isWaybill(port, each)) ? explainWaybill(variable, port) : explain(variable, port, each, code),
    );
  }
}

function explain(variable: string, port: number, host: string, code: string): string {
  const example = `for example ${variable}=${port < 65_535 ? port + 1 : port - 1}`;
  if (code === 'EADDRINUSE') {
    return `${variable} ${port} is in use by another program. Stop that program or choose another port, ${example}`;
  }
  if (code === 'EACCES') return `${variable} ${port} needs root privileges. Choose a port above 1023, ${example}`;
  return `Cannot listen on HOST ${host} (${code}). Use an IP address of this machine, for example HOST=127.0.0.1`;
}

/** Two starts need different ports and different data folders. */
const explainWaybill = (variable: string, port: number): string =>
  `${variable} ${port} is in use by another Waybill. Stop that one: press Ctrl-C in its terminal. Or start this one beside it with other ports and another folder, for example PORT=3100 MOCK_PORT=4110 WAYBILL_DATA_DIR=.waybill-2`;

/** Whether the service or the mock of a Waybill responds: an unknown path has the problem of the contract. */
async function isWaybill(port: number, host: string): Promise<boolean> {
  try {
    const response = await fetch(`${urlOf(host, port)}/another-waybill`, {
      signal: AbortSignal.timeout(waitTimeout),
      redirect: 'manual',
    });
    const { type } = problemDocument('not_found', { detail: '', path: '', requestId: '', members: {} });
    return ((await response.json()) as { type?: unknown } | null)?.type === type;
  } catch {
    return false;
  }
}
