import { type Mutant, mutantsIn } from '../mutant.ts';

const mutant = mutantsIn('packages/server/src');
const client = mutantsIn('packages/client/src');

/** The event feed, webhooks, and the round trips of transactions. */
export const events: Mutant[] = [
  mutant('a feed is not locked', 'event-feed/append.ts', 'events/order', {
    'pg_advisory_xact_lock(${sql.lit(lockClass)}, feed) from (': 'feed from (',
  }),
  mutant('listEvents reads other accounts', 'event-feed/queries.ts', 'account-queries/statements', {
    ".where('account_id', '=', accountId)\n    .where('position', '>', String(after))":
      ".where('account_id', '>=', accountId)\n    .where('position', '>', String(after))",
  }),
  mutant('the event after which a reader goes on is returned again', 'event-feed/queries.ts', 'events/feed', {
    ".where('position', '>', String(after))\n    .orderBy": ".where('position', '>=', String(after))\n    .orderBy",
  }),
  mutant('listEvents returns 200 after events were removed', 'event-feed/queries.ts', 'jobs/events', {
    ".where('last_position', '>', String(after))": ".where('last_position', '<', String(after))",
  }),
  mutant('an event of a shipment is sent before the previous one', 'webhooks/queue.ts', 'webhooks/retries', {
    'busy.has(order_key) ? null : now': 'now',
  }),
  mutant('a delivery that waits is released by a repeated one', 'webhooks/due-deliveries.ts', 'webhooks/retries', {
    ".orderBy('n.event_position')": ".orderBy('n.event_position', 'desc')",
  }),
  mutant('a disabled endpoint gets events', 'webhooks/queue.ts', 'webhooks/changes', {
    ".where('status', '=', 'enabled')\n      .forNoKeyUpdate()": '.forNoKeyUpdate()',
  }),
  mutant('a late result replaces that of another instance', 'webhooks/record.ts', 'webhooks/record.test', {
    "    .where('attempts', '=', attempts)": '   ',
  }),
  mutant('requests may queue one delivery more', 'webhooks/deliveries.ts', 'webhooks/manual', {
    'const maxManual = 100': 'const maxManual = 101',
  }),
  mutant('a response with 101 ends nothing', 'webhooks/send.ts', 'webhooks/hostile-receivers', {
    'socket.destroy();\n        reject(new InvalidResponse());': 'socket.destroy();',
  }),
  mutant('all accounts share the connections to a host', 'webhooks/sockets.ts', 'webhooks/sockets', {
    '`${accountId} ${new URL(url).host}`': 'new URL(url).host',
  }),
  mutant('a replay contains its end', 'webhooks/queue.ts', 'webhooks/replays', {
    "'<', replay_to as Date": "'<=', replay_to as Date",
  }),
  mutant('webhooks are signed only with the newest secret', 'webhooks/attempt.ts', 'webhooks/changes', {
    '[secret, ...previous]': '[secret, ...previous.slice(1)]',
  }),
  mutant('an endpoint that returns 410 stays enabled', 'webhooks/record.ts', 'webhooks/deliveries', {
    'response_status === 410': 'response_status === 411',
  }),
  mutant('a host name may resolve to a private network', 'webhooks/host-addresses.ts', 'webhooks/send', {
    'if (!addresses.every((address)': 'if (isIP(host) && !addresses.every((address)',
  }),
  mutant('one instance sends the events of all endpoints', 'webhooks/workers.ts', 'webhooks/instances', {
    'each.weight > best.weight ? each : best': 'each.worker < best.worker ? best : each',
  }),
  mutant('begin is lost', 'database/round-trips.ts', 'database/round-trips', {
    '= [...held, statement]': '= [...held.slice(1), statement]',
  }),
  mutant('the last statement is committed although it has failed', 'database/round-trips.ts', 'database/round-trips', {
    "if (result.status === 'rejected') throw": "if (result.status === 'rejected' && text === '') throw",
  }),
  client('verifyWebhook accepts old requests', 'webhooks.ts', 'client/webhooks', {
    'if (!(age <= tolerance))': 'if (!(age >= 0))',
  }),
  client('stream loses its place when the connection is lost', 'stream.ts', 'client/stream', {
    'lastId = block.id ?? lastId;': 'lastId = block.id;',
  }),
];
