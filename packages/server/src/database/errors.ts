import pg from 'pg';

/** Whether PostgreSQL itself has responded with an error, rather than the connection failed. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError;

/** Whether PostgreSQL has refused the connection: who connects, to which database, or that anyone does now. */
export const isRefusedConnection = (error: pg.DatabaseError): boolean =>
  /^(08|28|3D|53300|57P03)/.test(error.code ?? '');
