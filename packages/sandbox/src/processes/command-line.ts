import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The command line is invalid; the message names a valid value. */
export class UsageError extends Error {}

/** An option without a value. */
export const flag = { type: 'boolean', default: false } as const;

interface CommandLine<Options> {
  /** Lines. */
  usage: readonly string[];
  /** As in `parseArgs`; `--help` is added. */
  options: Options;
  allowPositionals?: boolean;
  /** Errors are not printed after it has aborted. */
  signal?: AbortSignal;
}

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/**
 * Runs a command, or prints its usage for `--help`, and ends the process. The exit code is the result of `run`, 2 for an invalid
 * command line, 1 for other errors.
 */
export async function command<const Options extends ParseArgsOptionsConfig>(
  { usage, options, allowPositionals = false, signal }: CommandLine<Options>,
  run: (values: Values<Options>, positionals: string[]) => Promise<number>,
): Promise<void> {
  const text = `${usage.join('\n')}\n`;
  try {
    const args = process.argv.slice(2).filter((arg) => arg !== '--'); // pnpm passes the dashes on
    if (args.includes('--help') || args.includes('-h')) console.log(text);
    else {
      const { values, positionals } = parseArgs({ args, options, allowPositionals });
      process.exitCode = await run(values, positionals);
    }
  } catch (error) {
    const isUsage = error instanceof UsageError || isFromParseArgs(error);
    process.exitCode = isUsage ? 2 : 1;
    const message = error instanceof Error ? error.message : String(error);
    if (!signal?.aborted) console.error(isUsage ? `${message}\n\n${text}` : message);
  }
  // At an exit by itself, Node 24 may wait for the end of a closed handle for ever: `Environment::CleanupHandles`.
  process.exit();
}

const isFromParseArgs = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** Parses a number option. @throws {UsageError} when it is not a number in the range, or not an integer if `whole` */
export function numberFrom(name: string, text: string, low: number, high: number, whole = true): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= low && value <= high && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${low} to ${high}, not '${text}'`);
}

/** Parses `--seed`; without one, the seed is random. */
export const seedFrom = (text?: string): number =>
  text === undefined ? Math.floor(Math.random() * 2 ** 32) : numberFrom('seed', text, 0, 2 ** 32 - 1);
