import { type Client, createClient } from '@waybill/client';

/** Made once, on your server, where address and key come from the environment. */
export const connect = (): Client =>
  createClient({ apiKey: process.env.WAYBILL_API_KEY ?? '', baseUrl: process.env.WAYBILL_URL });
