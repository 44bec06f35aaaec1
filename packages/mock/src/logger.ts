import type { createInstance } from '@stoplight/prism-http';

type Logger = Parameters<typeof createInstance>[1]['logger'];

const ignore = (): void => {};

/** Prism logs every step of its thinking; what matters of it is in the answer. */
export const silent: Logger = {
  child: () => silent,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  success: ignore,
};
