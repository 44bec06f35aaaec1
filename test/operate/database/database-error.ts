import pg from 'pg';

/** What PostgreSQL responds when a statement fails. */
export function databaseError(code: string, message = 'refused'): Error {
  const error = new pg.DatabaseError(message, 0, 'error');
  error.code = code;
  return error;
}
