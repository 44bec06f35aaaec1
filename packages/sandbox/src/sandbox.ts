import { extname } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Shipment, ShipmentRequest } from '@waybill/client';
import type { LocalSandbox } from './local-sandbox.ts';
import { nodeVersionError } from './node-version.ts';
import type { Call, Reply } from './thread.ts';

/** A running service with an account. */
export interface Sandbox extends AsyncDisposable {
  /** The base URL of the API, with the major version. */
  baseUrl: string;
  /** A key with all scopes. */
  apiKey: string;
  /** A key of a carrier. */
  carrierApiKey: string;
  accountId: string;
  /** Puts the service and its database back to the start: the account and its keys stay, all else goes. */
  reset(): Promise<void>;
  /**
   * Creates shipments through the API, one after the other. Fields that are left out have the values of an example.
   * @throws the error of the API for an invalid one
   */
  seed(shipments: Partial<ShipmentRequest>[]): Promise<Shipment[]>;
  /**
   * Simulates carriers that bring shipments from creation to proof of delivery; some are cancelled. Resolves when all of them
   * have ended, or at `reset` and `stop`.
   * @param speed simulated seconds per second
   * @param shipments how many, at the same time; 10 by default
   */
  simulate(speed: number, shipments?: number): Promise<void>;
  /** Stops everything and removes the data. Further calls do nothing. */
  stop(): Promise<void>;
}

/** Milliseconds for a start, a reset or a stop, each of which takes far less. */
const timeout = 120_000;

/**
 * Starts the service with an empty database of its own, and an account. Several can run at once, in any processes. Everything
 * stops when this process ends.
 * @param settings further settings of the server, such as `{ TRACKING_PREFIX: 'ACME' }`
 * @throws an error that says what to do
 */
export async function startSandbox(settings: Record<string, string> = {}): Promise<Sandbox> {
  const error = nodeVersionError();
  if (error) throw new Error(error);
  const thread = new Worker(new URL(`thread${extname(import.meta.url)}`, import.meta.url), { workerData: settings });

  let hasEnded = false;
  thread.once('exit', () => {
    hasEnded = true;
  });
  function call<Name extends keyof LocalSandbox>(name: Name, args: Parameters<LocalSandbox[Name]>, limit?: number) {
    const { port1, port2 } = new MessageChannel();
    return new Promise<Awaited<ReturnType<LocalSandbox[Name]>>>((resolve, reject) => {
      const fail = (message: string) => reject(new Error(message));
      const isOver = () => fail('The sandbox has stopped. Start another one with startSandbox().');
      if (hasEnded) return isOver();
      port1.once('close', isOver);
      port1.once('message', (reply: Reply) => ('error' in reply ? fail(reply.error) : resolve(reply.value as never)));
      if (limit)
        setTimeout(() => fail(`The sandbox did not complete ${name} within ${limit / 1000} s.`), limit).unref();
      thread.postMessage({ name, args, port: port2 } satisfies Call, [port2]);
    });
  }

  let stopping: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await call('stop', [], timeout).finally(() => thread.terminate());
  };
  const stop = (): Promise<void> => (stopping ??= end());
  try {
    const connection = await call('connection', [], timeout);
    return {
      ...connection,
      reset: () => call('reset', [], timeout),
      seed: (shipments) => call('seed', [shipments]),
      simulate: (speed, shipments = 10) => call('simulate', [speed, shipments]),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}
