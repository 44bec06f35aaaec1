import { type Client, createClient } from '@waybill/client';

/** Warns when a request uses something deprecated. */
export function connectWithWarnings(): Client {
  return createClient({
    onResponse({ operation, responseHeaders }) {
      const sunset = responseHeaders.get('Sunset');
      if (sunset)
        console.warn(`${operation} uses something that works until ${sunset}: ${responseHeaders.get('Link')}`);
    },
  });
}
