import { type Client, createClient } from '@waybill/client';

/** Create one client on your server. The URL and the key come from the environment. */
export const connect = (): Client =>
  createClient({ apiKey: process.env.WAYBILL_API_KEY ?? '', baseUrl: process.env.WAYBILL_URL });
