/** Where a command reads its settings and writes its output, and the exit code of a command that has not failed. */
export interface Context {
  env: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
  exitCode?: number;
}
