#!/usr/bin/env node
/** The command `waybill-mock`. */
import module from 'node:module';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import usage from './main.usage.json' with { type: 'json' };
import type { MockOptions } from './mock.ts';

const options = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  delay: { type: 'string', default: '0' },
  errors: { type: 'string', default: '0%' },
  quiet: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** @throws for invalid values */
function settingsFrom({ port, host, delay, errors, quiet }: Values): MockOptions {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not '${port}'`);
  }
  const log = quiet ? undefined : (line: string) => console.error(line);
  return { port: Number(port), host, delay: delayOf(delay), errors: shareOf(errors), log };
}

function delayOf(text: string): [number, number] {
  const [, least = '', most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (least !== '' && Number(least) <= Number(most)) return [Number(least), Number(most)];
  throw new Error(`--delay must be milliseconds, such as 300 or 200-800, not '${text}'`);
}

function shareOf(text: string): number {
  const [, percent = '101'] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text) ?? [];
  if (Number(percent) <= 100) return Number(percent) / 100;
  throw new Error(`--errors must be a percentage from 0% to 100%, not '${text}'`);
}

/** The first sentence of an error message. */
const sentenceOf = (error: unknown): string =>
  `${error instanceof Error ? error.message : error}`.split(/\.?(?:\s*\n|\. )/)[0] ?? '';

/** Reports a mistake in one line. */
function fail(message: string, exitCode: number): void {
  console.error(`${message.replace(/\.$/, '')}.`);
  process.exitCode = exitCode;
}

async function run(settings: MockOptions): Promise<void> {
  module.enableCompileCache?.(); // Node 20 lacks it
  const { startMock } = await import('./mock.ts'); // not needed for --help and mistakes
  const mock = await startMock(settings);
  console.log(`Waybill's mock listens on ${mock.url}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void mock.close());
}

/** What is wrong when the mock cannot start. */
function startProblem(error: unknown, { host, port }: MockOptions): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port`;
  return `The mock cannot listen on ${host}: ${sentenceOf(error)}`;
}

try {
  const { values } = parseArgs({ options });
  if (values.help) console.log(`${usage.join('\n')}\n`);
  else if (values.version) console.log(packageJson.version);
  else {
    const settings = settingsFrom(values);
    await run(settings).catch((error) => fail(startProblem(error, settings), 1));
  }
} catch (error) {
  fail(`${sentenceOf(error)}. See waybill-mock --help`, 2);
}
