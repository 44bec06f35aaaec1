import pg from 'pg';

/** Whether PostgreSQL responded with an error, as opposed to a failed connection. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError;

/** Whether PostgreSQL has ended the session with this error (PostgreSQL manual, "Error and Notice Message Fields"). */
export const endsSession = (error: unknown): boolean =>
  isDatabaseError(error) && (error.severity === 'FATAL' || error.severity === 'PANIC');

/** This process closes a connection: PostgreSQL did not respond in time, or the service stops. */
export class ConnectionLost extends Error {
  readonly code = 'ETIMEDOUT'; // `isTemporary` knows it by this code
}

/** Too many requests wait for PostgreSQL, or this one for too long. It gets 503. */
export class Overloaded extends Error {
  readonly code = 'OVERLOADED';
}

/** A lost connection that PostgreSQL has closed or whose data is lost, while other connections reach PostgreSQL. */
export class HalfOpenConnection extends ConnectionLost {}

/** A write that another one rules out: nothing of its transaction is committed. */
export class Conflict extends Error {}

/** Whether a unique index refuses a row. On Citus its name is followed by the number of the shard. */
export const isDuplicate = (error: unknown, index: string): boolean =>
  isDatabaseError(error) && error.code === '23505' && error.message.includes(index);

/** Whether a statement has waited for a lock longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => isDatabaseError(error) && error.code === '55P03';

/** Whether a statement is not executed, because an earlier one of its transaction has failed. */
export const isSkipped = (error: unknown): boolean => isDatabaseError(error) && error.code === '25P02';

/** Whether a statement has run longer than `statement_timeout`, or another session has canceled it. */
export const isCanceled = (error: unknown): boolean => isDatabaseError(error) && error.code === '57014';

/**
 * Whether the columns of a prepared statement have changed. PostgreSQL translates its messages (`lc_messages`), and not the name of
 * its function. The coordinator of a Citus relays only the message of a worker.
 */
export const isStalePlan = (error: unknown): boolean =>
  isDatabaseError(error) &&
  (error.routine === 'RevalidateCachedQuery' || error.message.startsWith('cached plan must not change'));

/** Whether a statement names a table that does not exist, because the first migration has not run. */
export const isMissingTable = (error: unknown): boolean => isDatabaseError(error) && error.code === '42P01';

/**
 * Whether PostgreSQL has rejected a statement, which is then not committed, although it has the time and the resources to execute
 * others. Other errors: 08, a failed connection, as PgBouncer reports it; 25006, a replica; 40003, an unknown completion; 53, a
 * lack of resources; 57, a timeout or the end of the session; 58, its system. A Citus node that does not respond leads to 08 or
 * 57.
 */
export const isRejectedByPostgres = (error: unknown): boolean =>
  isDatabaseError(error) && !/^(08|25006|40003|53|57|58)/.test(error.code ?? '');

/**
 * Codes of temporary errors: PostgreSQL error classes (PostgreSQL manual, appendix A), a server that has become a replica
 * (25006), and errors of connections, of full queues and of the storage.
 */
const unavailableCode =
  /^(08...|25006|25P0[34]|26000|28...|3D000|40001|40003|40P01|53...|55P03|57014|57P0[1-5]|58...|ENOSPC|EDQUOT|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|OVERLOADED|STORAGE_UNAVAILABLE)$/;
/**
 * Messages of temporary errors without a code: those of a Citus worker that is unreachable or has just stopped (libpq,
 * fe-misc.c and fe-secure.c), and of a killed coordinator.
 */
const unavailableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|failure on connection|server closed the connection|SSL SYSCALL error|could not (receive data from|send data to) server|could not commit transaction for shard|postmaster was shut down)/;

/** Whether an error of PostgreSQL, of a connection, of a full queue or of the storage is temporary. */
export const isTemporary = (error: Error): boolean =>
  unavailableCode.test('code' in error && typeof error.code === 'string' ? error.code : '') ||
  unavailableMessage.test(error.message) ||
  isStalePlan(error);
