/** How a request ended, and the longest turn of the event loop meanwhile, in microseconds of CPU time. */
export interface Measured {
  status: number;
  time: number;
}

/** CPU time of this thread, in microseconds. Other processes do not add to it. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Measures a request to a service in this thread. */
export async function longestTurn(request: () => Promise<Response>): Promise<Measured> {
  let longest = 0;
  let isRunning = true;
  let last = processorTime();
  const turn = (): void => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setTimeout(turn, 1);
  };
  turn();
  const response = await request();
  // An event stream stays open without work.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel();
  else await response.arrayBuffer();
  isRunning = false;
  return { status: response.status, time: longest };
}
