/** Records requests as traces. */
export interface Tracing {
  startStatement(text: string): ((error?: unknown) => void) | undefined;
  currentSpan(): unknown;
  runBatch<Result>(name: string, callers: unknown[], run: () => Promise<Result>): Promise<Result>;
}
