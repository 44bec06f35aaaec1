import { type Config, settingError } from '../config.ts';

/** An error of listening → one that names the setting to change; any other error as it is. */
export function listenError(error: unknown, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return settingError('PORT', `${PORT} is used by another program on ${HOST}`);
    case 'EACCES':
      return settingError('PORT', `${PORT} is not allowed for this user`);
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return settingError('HOST', `${HOST} is not an address of this machine (${code})`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return settingError('HOST', `${HOST} cannot be resolved to an address (${code})`);
    default:
      return error;
  }
}
