import { setTimeout } from 'node:timers/promises';

export type Condition = () => boolean | Promise<boolean>;

/** Polls until the condition holds. @returns false after `timeout` ms */
export async function waitUntil(condition: Condition, timeout: number): Promise<boolean> {
  for (const deadline = Date.now() + timeout; Date.now() < deadline; await setTimeout(5))
    if (await condition()) return true;
  return false;
}
