import { Agent, get, type IncomingMessage } from 'node:http';
import type { Party } from '../chaos/environment.ts';

/** An open stream of events. */
export interface Reader {
  /** The number of events that have arrived. */
  count(): number;
  close(): void;
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
const created = /^data: \{"id":"\w+","type":"[\w.]+","created_at":"([^"]+)"/m;

/** Opens a stream. @param onEvent gets the milliseconds from the time in an event until it arrives */
export async function openReader(
  { baseUrl, apiKey }: Party,
  onEvent: (delay: number) => void,
  after?: string,
): Promise<Reader> {
  const url = `${baseUrl}/events/stream${after === undefined ? '' : `?after=${after}`}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${apiKey}` } }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`A stream was refused with ${response.statusCode}.`);
  let rest = '';
  let count = 0;
  response.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.timeOrigin + performance.now();
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const time = created.exec(block)?.[1];
      if (time === undefined) continue;
      count++;
      onEvent(now - Date.parse(time));
    }
  });
  response.on('error', () => {}); // of the disconnection
  return { count: () => count, close: () => void response.destroy() };
}
