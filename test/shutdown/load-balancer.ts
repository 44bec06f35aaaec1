import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two readiness checks. */
const interval = 50;

/** Sends requests over keep-alive connections to the servers that are ready, each in its turn. */
export function balance(origins: string[]) {
  const ready = new Set<string>();
  let next = 0;
  let isOver = false;
  const checks = origins.map(async (origin) => {
    for (; !isOver; await setTimeout(interval)) {
      const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) ready.add(origin);
      else ready.delete(origin);
    }
  });
  return {
    async send(path: string, request: RequestInit): Promise<Response> {
      for (let attempt = 1; ; attempt++) {
        const origin = [...ready][next++ % ready.size];
        try {
          return await fetch(origin + path, request);
        } catch (error) {
          // A refused connection has sent nothing. Any other request may have had its effect.
          const { cause } = error as { cause?: { code?: string } };
          if (cause?.code !== 'ECONNREFUSED' || attempt === 5) throw error;
        }
      }
    },
    /** Resolves when the balancer has found a server ready, or not ready. */
    async sees(origin: string, isReady: boolean) {
      while (ready.has(origin) !== isReady) await setTimeout(interval);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(checks);
    },
  };
}
