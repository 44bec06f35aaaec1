import { eventDays } from '../event-feed/feed.ts';
import type { Feature } from '../feature.ts';
import { eventHandlers } from './handlers.ts';
import { noteRemovalOfDay, removeUnpartitioned } from './removal.ts';

/** The changes of shipments, in the order of their positions. */
export const events = {
  tables: {
    events: {
      citus: 'distributed',
      expired: {
        events: removeUnpartitioned,
        eventDays: { partitionedBy: 'created_at', days: () => eventDays, beforeDrop: noteRemovalOfDay },
      },
      ofAccount: ['number'],
      ofShipment: 'stays', // as long as those of others: a reader of the feed misses none
      counted: 'events',
    },
    removed_events: { citus: 'distributed', expired: 'stays', ofAccount: 'at_once' },
  },
  handlers: eventHandlers,
  shown: { bodies: { streamEvents: 'status' } }, // `events` of each feature decide on each event
} satisfies Feature;
