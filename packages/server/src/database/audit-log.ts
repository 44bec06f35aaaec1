import { hostname, userInfo } from 'node:os';
import type { Kysely, Transaction } from 'kysely';
import { newUuid } from './identifiers.ts';
import { literal, now } from './statements/expressions.ts';
import type { Tables } from './tables.ts';

/** A change that a command makes. */
export interface AuditEntry {
  /** The command, such as `keys revoke`. */
  action: string;
  /** Left out for a change of the whole database. */
  accountId?: string | null;
  /** What is changed. It must not contain secrets. */
  details: Record<string, unknown>;
}

/** A stored entry. */
export interface AuditLogRow {
  at: Date;
  action: string;
  account_id: string | null;
  details: object;
  os_user: string;
  host: string;
  pid: number;
}

/** Records a change and who makes it: the user and the process on this machine. Call it in the transaction of the change. */
export async function recordAudit(
  trx: Transaction<Tables>,
  { action, accountId = null, details }: AuditEntry,
): Promise<void> {
  const at = trx.fn<Date>('date_trunc', [literal('milliseconds'), now]); // as commands print it, so that --since can name an entry
  await trx
    .insertInto('audit_log')
    .values({
      id: newUuid(),
      at,
      action,
      account_id: accountId,
      details: JSON.stringify(details),
      os_user: currentUser(),
      host: hostname(),
      pid: process.pid,
    })
    .execute();
}

/** The name of the user of this process, or its number: containers often have no name for it. */
function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** The newest entries, newest first. @param filter.since only entries at or after this time */
export function selectAuditLog(
  db: Kysely<Tables>,
  { account, action, since, limit }: { account?: string; action?: string; since?: Date; limit: number },
): Promise<AuditLogRow[]> {
  let query = db
    .selectFrom('audit_log')
    .select(['at', 'action', 'account_id', 'details', 'os_user', 'host', 'pid'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (account) query = query.where('account_id', '=', account);
  if (action) query = query.where('action', '=', action);
  if (since) query = query.where('at', '>=', since);
  return query.execute();
}
