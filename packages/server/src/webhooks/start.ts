import { contractVersion } from '@waybill/http/operations';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../feature.ts';
import { createSender } from './attempts/send.ts';
import { socketLimits } from './attempts/socket-limits.ts';
import { dnsResolver, urlCheck } from './attempts/url-check.ts';
import { startWebhookWorkers, type WebhookWorkers, type WorkersOptions } from './workers/workers.ts';

interface Options extends Omit<WorkersOptions, 'log' | 'sender' | 'sockets'> {
  allowLoopback: boolean;
  /** URL of an HTTP proxy, which resolves the names of hosts. */
  proxy: string | undefined;
}

/** Sends webhooks until the app closes. */
export function startWebhooks(
  app: FastifyInstance,
  { allowLoopback, proxy, ...options }: Options,
): Pick<WebhookWorkers, 'backlog'> & Pick<Services, 'urlError'> {
  const resolve = dnsResolver();
  const sender = createSender({ allowLoopback, resolve, userAgent: `Waybill/${contractVersion}`, proxy });
  app.addHook('onClose', async () => sender.close()); // after the workers: these hooks run in reverse order
  const workers = startWebhookWorkers({ ...options, log: app.log, sender, sockets: socketLimits() });
  app.addHook('onClose', workers.close);
  return {
    backlog: workers.backlog,
    urlError: urlCheck(proxy === undefined ? resolve : undefined, allowLoopback),
  };
}
