import { createClient, type WaybillEvent } from '@waybill/client';
import { serviceUrl } from './service-url.ts';

/** The last known state of a shipment. */
export interface Row {
  number: string;
  status: string;
  place: string;
  eta: string;
  /** Type and time of the last event. */
  event: string;
  time: string;
}

/** Shipments in the table. */
const maxRows = 50;

/**
 * Follows the events of the service that serves this page, until the signal aborts.
 * @param show gets the rows after each event, that of the last change first
 * @throws the client's errors
 */
export async function followEvents(apiKey: string, signal: AbortSignal, show: (rows: Row[]) => void): Promise<void> {
  // The reader's own key, in the reader's own browser.
  const client = createClient({ baseUrl: await serviceUrl(), apiKey, dangerouslyAllowBrowser: true });
  let rows: Row[] = [];
  for await (const event of client.streamEvents({}, { signal })) {
    const row = rowOf(event, rows);
    if (!row) continue;
    rows = [row, ...rows.filter(({ number }) => number !== row.number)].slice(0, maxRows);
    show(rows);
  }
}

/** @param rows so far: an event with a `shipment` has neither its location nor its ETA */
function rowOf({ type, created_at, data }: WaybillEvent, rows: Row[]): Row | undefined {
  const { shipment, tracking = data.tracking_change } = data;
  const { tracking_number: number, status } = tracking ?? shipment ?? {};
  if (number === undefined || status === undefined) return undefined;
  const { current_location: location, eta } = tracking ?? {};
  const earlier = rows.find((row) => row.number === number);
  const place = location && (location.address ?? `${location.lat}, ${location.lng}`);
  return {
    ...{ number, status, event: type, time: clock(created_at) },
    place: place ?? earlier?.place ?? shipment?.origin.city ?? '',
    eta: eta ? clock(eta) : (earlier?.eta ?? ''),
  };
}

const clock = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)}`;
