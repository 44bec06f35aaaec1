import { startSandbox } from '@waybill/sandbox';

/** Starts a sandbox, stops it with the argument `stop`, and runs on. */
const sandbox = await startSandbox();
console.log('started');
if (process.argv[2] === 'stop') {
  await sandbox.stop();
  console.log('stopped');
}
setInterval(() => {}, 1000);
