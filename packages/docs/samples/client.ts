import { type Client, createClient } from '@waybill/client';

/** Create one client on your server. It reads WAYBILL_API_KEY and WAYBILL_URL from the environment. */
export const connect = (): Client => createClient();
