/** Writes the generated file of each client into its package. */
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { generateClients } from './generate.ts';

await generateClients(contract, import.meta.dirname);
