import type { FastifyInstance } from 'fastify';
import type { Activity } from '../concurrency/fair-queue.ts';
import type { Database } from '../database/database.ts';
import { type EventFeed, eventFeed } from './feed.ts';
import { eventNotifications, type Notifications } from './notifications.ts';

/** Follows the events of all accounts until the app closes. @param listenUrl of the database, for notifications */
export function startFeed(
  app: FastifyInstance,
  { activity, database, listenUrl }: { activity: Activity; database: Database; listenUrl: string },
): Pick<Notifications, 'notify'> & { feed: EventFeed } {
  const feed = eventFeed(database, activity);
  const { notify, close } = eventNotifications(database, listenUrl, feed);
  app.addHook('onClose', async () => close());
  app.addHook('preClose', async () => feed.close()); // before draining: streams and requests that wait end
  return { feed, notify };
}
