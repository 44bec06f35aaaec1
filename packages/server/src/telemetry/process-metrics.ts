import client from 'prom-client';

let registry: client.Registry | undefined;

/** The metrics of Node and of the process: CPU time, memory, event loop delay. All services of a process share them. */
export function processMetrics(): client.Registry {
  if (!registry) {
    registry = new client.Registry();
    client.collectDefaultMetrics({ register: registry });
  }
  return registry;
}
