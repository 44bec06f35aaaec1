/** The command line is invalid; the message names a valid value. */
export class UsageError extends Error {}

/** Parses a number option. @throws {UsageError} when it is not a number in the range, or not an integer if `whole` */
export function numberFrom(name: string, text: string, low: number, high: number, whole = true): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= low && value <= high && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${low} to ${high}, not '${text}'`);
}

/** Runs a command and sets the exit code: 2 and the usage for an invalid command line, 1 for other errors. */
export async function command(usage: string, signal: AbortSignal, run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (signal.aborted) {
      process.exitCode = 1;
      return;
    }
    const isUsage = error instanceof UsageError || isFromParseArgs(error);
    const message = error instanceof Error ? error.message : String(error);
    console.error(isUsage ? `${message}\n\n${usage}` : message);
    process.exitCode = isUsage ? 2 : 1;
  }
}

const isFromParseArgs = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
