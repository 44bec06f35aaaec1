import { type Mutant, mutant } from '../mutant.ts';

/** The event feed, webhooks, and the round trips of transactions. */
export const events: Mutant[] = [
  mutant('a feed is not locked', 'events/order', {
    'pg_advisory_xact_lock(${sql.lit(lockClass)}, ${feed})': 'greatest(${sql.lit(lockClass)}, ${feed})',
  }),
  mutant('listEvents reads other accounts', 'account-queries/statements', {
    ".where('account_id', '=', accountId)\n    .where('position', '>=', String(position))":
      ".where('account_id', '>=', accountId)\n    .where('position', '>=', String(position))",
  }),
  mutant('the event after which a reader goes on is returned again', 'events/feed', {
    'return rows.slice(1);\n  if (after.position > 0n && !(await isLastRemoved(db,':
      'return rows;\n  if (after.position > 0n && !(await isLastRemoved(db,',
  }),
  mutant('with types, the event after which a reader goes on is returned again', 'events/feed', {
    ".where('position', '>', String(after.position))": ".where('position', '>=', String(after.position))",
  }),
  mutant('listEvents returns 200 after events were removed', 'jobs/events', {
    "'last_position', '=', String(position)": "'last_position', '>=', String(position)",
  }),
  mutant('an event of a shipment is sent before the previous one', 'webhooks/retries', {
    '.when(is.and([mayBeDue, isFree]))': '.when(mayBeDue)',
  }),
  mutant('a delivery that waits is released by a repeated one', 'webhooks/retries', {
    ".orderBy('n.event_position')": ".orderBy('n.event_position', 'desc')",
  }),
  mutant('a disabled endpoint gets events', 'webhooks/deliveries', {
    ".where('w.status', '=', 'enabled')\n    .executeTakeFirst()": '.executeTakeFirst()',
  }),
  mutant('a late result replaces that of another instance', 'webhooks/queue', {
    "    .where('attempts', '=', result.attempts - 1)": '   ',
  }),
  mutant('requests may queue one delivery more', 'webhooks/manual', {
    'const maxManual = 100': 'const maxManual = 101',
  }),
  mutant('a response with 101 ends nothing', 'webhooks/send', {
    'socket.destroy();\n        reject(new InvalidResponse());': 'socket.destroy();',
  }),
  mutant('all accounts share the connections to a host', 'webhooks/sockets', {
    '`${accountId} ${new URL(url).host}`': 'new URL(url).host',
  }),
  mutant('a replay contains its end', 'webhooks/manual', {
    "'<', fn.coalesce('w.replay_to'": "'<=', fn.coalesce('w.replay_to'",
  }),
  mutant('webhooks are signed only with the newest secret', 'webhooks/deliveries', {
    '[secret, ...previous]': '[secret, ...previous.slice(1)]',
  }),
  mutant('an endpoint that returns 410 stays enabled', 'webhooks/deliveries', {
    'response_status === 410': 'response_status === 411',
  }),
  mutant('a host name may resolve to a private network', 'webhooks/send', {
    'if (!addresses.every((address)': 'if (isIP(host) && !addresses.every((address)',
  }),
  mutant('one instance sends the events of all endpoints', 'webhooks/instances', {
    'each.weight > best.weight ? each : best': 'each.worker < best.worker ? best : each',
  }),
  mutant('an endpoint queues events however many of its requests are under way', 'webhooks/other-accounts', {
    'if (shared.isFull) return maxIdle;': '',
  }),
  mutant('begin is lost', 'database/round-trips', { '= [...held, statement]': '= [...held.slice(1), statement]' }),
  mutant('the last statement is committed although it has failed', 'database/round-trips', {
    "if (failed?.status === 'rejected') throw": "if (failed?.status === 'rejected' && statement.sql === '') throw",
  }),
  mutant('verifyWebhook accepts old requests', 'client/webhooks', { 'if (!(age <= tolerance))': 'if (!(age >= 0))' }),
  mutant('stream loses its place when the connection is lost', 'client/event-iterators', {
    'lastId = block.id ?? lastId;': 'lastId = block.id;',
  }),
];
