/**
 * Codes of temporary errors: PostgreSQL error classes (PostgreSQL manual, appendix A), a server that has become a replica
 * (25006), and errors of connections, of full queues and of the storage.
 */
const unavailableCode =
  /^(08...|25006|25P0[34]|26000|28...|3D000|40001|40003|40P01|53...|55P03|57014|57P0[1-5]|58...|ENOSPC|EDQUOT|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|QUEUE_FULL|STORAGE_UNAVAILABLE)$/;
/**
 * Messages of temporary errors without a code. Before the last one, a stale statement, they are those of a Citus worker
 * that is unreachable or has just stopped (libpq, fe-misc.c and fe-secure.c), and of a killed coordinator.
 */
const unavailableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|failure on connection|server closed the connection|SSL SYSCALL error|could not (receive data from|send data to) server|could not commit transaction for shard|postmaster was shut down|cached plan must not change)/;

/** Whether an error of PostgreSQL, of a connection, of a full queue or of the storage is temporary. */
export const isTemporary = (error: Error): boolean =>
  unavailableCode.test('code' in error && typeof error.code === 'string' ? error.code : '') ||
  unavailableMessage.test(error.message);
