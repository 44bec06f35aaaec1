import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClientOptions } from '@waybill/client';

const root = resolve(import.meta.dirname, '../..');

/**
 * How to reach the service that `pnpm start` runs, as either party of its demo account.
 * @throws when it was not started yet
 */
export async function runningService(
  env: NodeJS.ProcessEnv,
): Promise<{ shipper: ClientOptions; carrier: ClientOptions }> {
  const file = join(resolve(root, env.WAYBILL_DATA_DIR || '.waybill'), 'demo.json');
  try {
    const { base_url: baseUrl, api_key, carrier_api_key } = JSON.parse(await readFile(file, 'utf8'));
    return { shipper: { baseUrl, apiKey: api_key }, carrier: { baseUrl, apiKey: carrier_api_key } };
  } catch (cause) {
    throw new Error(`${file} cannot be read: start Waybill first (npx -y pnpm@12 start).`, { cause });
  }
}
