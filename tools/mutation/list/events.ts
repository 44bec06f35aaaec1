import type { List } from '../mutant.ts';

/** The event feed, webhooks, and the round trips of transactions. */
export const events: List = {
  'events/notifications: a write that commits alone notifies no reader':
    '[-if (events.length > 0) notify(accountId);-]',
  'events/order: a feed is not locked':
    '[-pg_advisory_xact_lock-]{+greatest+}(${sql.lit(advisoryLocks.feeds)}, ${key})',
  'account-queries/statements: listEvents reads other accounts':
    ".where('account_id', '{+>+}=', accountId)\n    .where('number', '>=', number)",
  'events/feed: the event after which a reader goes on is returned again':
    'return rows[-.slice(1)-];\n  if (after.number > 0 && !(await isLastRemoved(db,',
  'events/feed: with types, the event after which a reader goes on is returned again':
    "'>{+=+}', tuple(type, after.number)",
  'jobs/events: listEvents returns 200 after events were removed': "'last_number', '{+>+}=', number",
  'webhooks/retries: an event of a shipment is sent before the previous one':
    '.when([-eb.and([mayBeDue, isFree])-]{+mayBeDue+})',
  'webhooks/retries: a delivery that waits is released by a repeated one': ".orderBy('n.event_number'{+, 'desc'+})",
  'webhooks/deliveries: a disabled endpoint gets events':
    "[-.where('w.status', '=', 'enabled')\n    -].executeTakeFirst()",
  'webhooks/queue: a late result replaces that of another instance':
    "[-    .where('attempts', '=', result.attempts - 1)-]{+   +}",
  'webhooks/manual: requests may queue one delivery more': 'const maxManual = [-100-]{+101+}',
  'webhooks/send: a response with 101 ends nothing': 'socket.destroy();[-\n        reject(new InvalidResponse());-]',
  'webhooks/sockets: all accounts share the connections to a host':
    '[-`${accountId} ${new URL(url).host}`-]{+new URL(url).host+}',
  'webhooks/manual: a replay contains its end': "'<{+=+}', endpoint.fn.coalesce('w.replay_to'",
  'webhooks/deliveries: webhooks are signed only with the newest secret': '[secret, ...previous{+.slice(1)+}]',
  'webhooks/deliveries: an endpoint that returns 410 stays enabled': 'const gone = [-410-]{+411+}',
  'webhooks/send: a host name may resolve to a private network': 'if ({+isIP(host) && +}!addresses.every((address)',
  'webhooks/instances: one instance sends the events of all endpoints':
    'each.[-weight > best.weight ? each : best-]{+instance < best.instance ? best : each+}',
  'webhooks/other-accounts: an endpoint queues events however many of its requests are under way':
    '[-if (!this.#isSaturated) -]await this.#queueEvents();',
  'webhooks/attempt: an expired event lowers the limit of attempts': 'if (!isAttempted(result){+ && false+}) return;',
  'database/round-trips: begin is lost': '= [...this.#held{+.slice(1)+}, statement]',
  'database/round-trips: the last statement is committed although it has failed':
    "if (failed?.status === 'rejected'{+ && statement.sql === ''+}) throw",
  'client/webhooks: verifyWebhook accepts old requests': 'if (!(age [-<= tolerance-]{+>= 0+}))',
  'client/event-iterators: stream loses its place when the connection is lost': 'lastId = block.id[- ?? lastId-];',
};
