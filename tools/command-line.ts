/** The command line is not good; the message says what is. */
export class UsageError extends Error {}

/** @throws {UsageError} when an option's text is not a number in the range, or not a whole one where it must be */
export function numberFrom(name: string, text: string, low: number, high: number, whole = true): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= low && value <= high && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${low} to ${high}, not '${text}'`);
}

/** Runs a command and sets the exit code: 2 with its usage for a mistake in the command line, else 1 for what it throws. */
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
