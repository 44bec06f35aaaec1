import { startSandbox } from '@waybill/sandbox';

/** Starts a sandbox, and runs until it is killed. */
await startSandbox();
console.log('started');
