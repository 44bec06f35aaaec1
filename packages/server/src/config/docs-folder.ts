import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The docs site beside the built bundle; empty when the service runs from its sources. */
export function bundledDocs(): string {
  const folder = fileURLToPath(new URL('docs', import.meta.url));
  return existsSync(folder) ? folder : '';
}
