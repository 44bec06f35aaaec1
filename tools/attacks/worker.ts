import { parentPort, workerData } from 'node:worker_threads';
import { attacks, type Target } from './attack.ts';

/** Runs one attack in its own thread, so that it does not disturb the measurements. */
const { name, target } = workerData as { name: string; target: Target };
const attack = attacks[name];
if (!attack || !parentPort) throw new Error(`Unknown attack ${name}`);
const stop = new AbortController();
parentPort.once('message', () => stop.abort());
parentPort.postMessage(await attack(target, stop.signal));
