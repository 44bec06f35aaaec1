import { withTimeLimit } from '../timing/time-limit.ts';
import { allowedAddresses, ForbiddenAddress, type Resolve } from './host-addresses.ts';
import { hostOf, webhookUrlError } from './url-rules.ts';

/** Milliseconds for the look-up of a host while an endpoint is created. */
const lookupTimeout = 1000;

/**
 * Makes the check of URLs of new endpoints. It returns why events must not be sent to a URL; undefined when they may. A name
 * that cannot be resolved now is accepted: each delivery resolves and checks it again.
 */
export const urlCheck =
  (resolve: Resolve, allowLoopback: boolean) =>
  async (url: string): Promise<string | undefined> => {
    const error = webhookUrlError(url, allowLoopback);
    if (error) return error;
    const lookup = allowedAddresses(hostOf(new URL(url)), resolve, allowLoopback);
    try {
      await withTimeLimit(lookup, lookupTimeout, () => []);
      return undefined;
    } catch (failure) {
      return failure instanceof ForbiddenAddress ? 'must not have an IP address of a private network' : undefined;
    }
  };
