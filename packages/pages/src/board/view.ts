import type { Connection } from '../link/connection.ts';
import type { Clock } from '../text/times.ts';
import type { Closed } from './shipments/feed.ts';
import type { Figures } from './shipments/figures.ts';
import type { History, Snapshot } from './shipments/loading.ts';
import type { Board, Shown } from './shipments/punctuality.ts';
import type { Loaded } from './shipments/shipment.ts';

/** What the page shows. */
export interface View {
  closed: Closed | undefined;
  connection: Connection;
  clock: Clock;
  /** Undefined until the first list has arrived. */
  board: Board | undefined;
  snapshot: Snapshot | undefined;
  filter: Shown;
  query: string;
  /** How many rows of the list are drawn. */
  visible: number;
  /** The number or reference that was looked for among all shipments in vain. */
  notFound: string | undefined;
  screen: 'shipments' | 'figures';
  /** Undefined until the history has arrived. */
  figures: { figures: Figures; history: Pick<History, 'isSample'>; count: number } | undefined;
  selected: Loaded | undefined;
}

/** What the dispatcher can do. */
export interface Actions {
  search(query: string): void;
  /** Looks for the query among all shipments of the account. */
  look(): void;
  filter(filter: Shown): void;
  /** Shows more rows of the list, and loads them if need be. */
  more(): void;
  open(screen: View['screen']): void;
  /** Shows a shipment by its id, or none. */
  select(shipmentId: string | undefined): void;
}
