import { styleText } from 'node:util';
import { type Client, createClient, type WaybillEvent } from '@waybill/client';
import { eventData } from '@waybill/contract/events';

/** Events of shipments. New locations and arrival times are left out: there are too many of them to read. */
const types = (Object.keys(eventData) as (keyof typeof eventData)[]).filter(
  (type) => eventData[type] !== 'webhook_endpoint' && eventData[type] !== 'tracking_change',
);

/** Prints the events of an account from now on, a line each, until the signal aborts. */
export async function printEvents(
  options: { baseUrl: string; apiKey: string },
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const client = createClient(options);
  try {
    const after = await lastEvent(client);
    for await (const event of client.streamEvents({ after, types }, { signal })) print(lineOf(event));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** @returns the id of the last event of the client's account; undefined when it has none */
export async function lastEvent(client: Client): Promise<string | undefined> {
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await client.listEvents({ after, limit: 100 });
    after = page.next_after ?? undefined;
    hasMore = page.has_more;
  }
  return after;
}

function lineOf({ type, created_at, data }: WaybillEvent): string {
  const [change] = Object.values({ ...data }) as { tracking_number?: string; status?: string }[]; // the data of its type
  const { tracking_number = '', status = '' } = change ?? {};
  const what = data.exception_change?.exception.code ?? status;
  return `${styleText('dim', created_at.slice(11, 19))}  ${tracking_number}  ${type.padEnd(28)}${what}`;
}
