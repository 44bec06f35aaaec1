/** Settings of the server. */
export type Environment = Record<string, string | undefined>;

/** Settings of a service that only this machine uses. */
export const localSettings: Environment = {
  DRAIN_MS: '0', // no load balancer watches
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
