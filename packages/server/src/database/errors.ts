import pg from 'pg';

/** Whether PostgreSQL itself has responded with an error, rather than the connection failed. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError;
