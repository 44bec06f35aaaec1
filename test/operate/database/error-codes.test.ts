import { problemFromError } from '@waybill/http/problems';
import { isTemporary } from '@waybill/server/database/errors';
import { expect, test } from 'vitest';
import { databaseError } from './database-error.ts';

test.for([
  ['08006', 'connection to the remote node failed', 503],
  ['25006', 'cannot execute INSERT in a read-only transaction', 503],
  ['26000', 'prepared statement "a" does not exist', 503],
  ['0A000', 'cached plan must not change result type', 503],
  ['40001', 'could not serialize access due to concurrent update', 503],
  ['53100', 'could not extend file: No space left on device', 503],
  ['55P03', 'canceling statement due to lock timeout', 503],
  ['57014', 'canceling statement due to statement timeout', 503],
  ['57P01', 'terminating connection due to administrator command', 503],
  ['58030', 'could not read block 0 in file', 503],
  ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432', 503],
  ['XX000', 'server closed the connection unexpectedly', 503],
  ['XX000', 'SSL SYSCALL error: EOF detected', 503],
  ['XX000', 'could not receive data from server: Connection reset by peer', 503],
  ['XX000', 'could not commit transaction for shard 102009 on at least one active node', 503],
  ['XX000', 'postmaster was shut down, exiting', 503],
  ['0A000', 'could not create distributed plan', 500],
  ['23505', 'duplicate key value violates unique constraint', 500],
  ['42P01', 'relation "shipments" does not exist', 500],
  ['XX000', 'cache lookup failed for relation 1', 500],
  ['XX001', 'invalid page in block 0', 500],
] as const)('PostgreSQL error %s "%s" returns %i', ([code, message, status]) => {
  const problem = problemFromError(databaseError(code, message), isTemporary);
  expect(problem).toMatchObject({ status, headers: status === 503 ? { 'Retry-After': '2' } : {} });
  expect(problem.message).not.toContain(message);
});
