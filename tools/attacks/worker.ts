import { parentPort, workerData } from 'node:worker_threads';
import { attacks, type Target } from './attack.ts';

/** Runs one attack on a thread of its own, so that the reader's measurements are not its victims. */
const { name, target } = workerData as { name: string; target: Target };
const attack = attacks[name];
if (!attack || !parentPort) throw new Error(`There is no attack ${name}`);
const stop = new AbortController();
parentPort.once('message', () => stop.abort());
parentPort.postMessage(await attack(target, stop.signal));
