#!/usr/bin/env node
/** The command `waybill-sandbox`. */
import module from 'node:module';
import { nodeVersionError } from './processes/node-version.ts';

const error = nodeVersionError();
if (error) {
  console.error(error);
  process.exit(1);
}
module.enableCompileCache();
const { runSandbox } = await import('./demo/run-sandbox.ts'); // an older Node cannot parse it
await runSandbox();
