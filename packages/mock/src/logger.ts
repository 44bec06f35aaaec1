import type { createInstance } from '@stoplight/prism-http';

type Logger = Parameters<typeof createInstance>[1]['logger'];

const ignore = (): void => {};

/** Hides the verbose log of Prism. */
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
