/**
 * The names of the variables of PostgreSQL's clients, such as PGSSLMODE and PGOPTIONS. In the shell of a developer they concern
 * another server.
 */
export const clientVariables = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter((name) => /^PG[A-Z]/.test(name));
