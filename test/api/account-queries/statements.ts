import { DefaultQueryCompiler } from 'kysely';
import pg from 'pg';
import { nodesOf, type Source } from './server-sources.ts';

/** An SQL statement, with the lines of the server on the stack when Kysely compiled it. */
export interface Statement {
  text: string;
  lines: { path: string; line: number }[];
}

/** A call in the server's sources that compiles a statement. */
export interface Call {
  path: string;
  /** The function that contains the call. */
  name: string;
  from: number;
  to: number;
}

/** Records the statements that Kysely compiles and the texts that the driver sends, until the process ends. */
export function recordStatements(): { compiled: Statement[]; sent: Set<string> } {
  const compiled: Statement[] = [];
  const sent = new Set<string>();
  Error.stackTraceLimit = 60;

  const compiler = DefaultQueryCompiler.prototype;
  const compile = compiler.compileQuery;
  compiler.compileQuery = function (...args: Parameters<typeof compile>) {
    const query = compile.apply(this, args);
    compiled.push({ text: query.sql, lines: serverLines(new Error().stack ?? '') });
    return query;
  };

  const client = pg.Client.prototype as { query(...args: unknown[]): unknown };
  const query = client.query;
  client.query = function (...args: unknown[]) {
    const [first] = args;
    const { text, statements = [{ text }] } = first as { text: string; statements?: { text: string }[] };
    for (const each of typeof first === 'string' ? [{ text: first }] : statements) sent.add(each.text);
    return query.apply(this, args);
  };
  return { compiled, sent };
}

const serverLines = (stack: string): Statement['lines'] =>
  [...stack.matchAll(/(packages\/server\/src\/[\w./-]+):(\d+):\d+/g)].map(([, path = '', line]) => ({
    path,
    line: Number(line),
  }));

const executes = ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'stream'];

/** Every call that compiles a statement. A transaction or connection compiles none of its own. */
export function callsIn(source: Source): Call[] {
  const lineOf = (offset: number): number => source.text.slice(0, offset).split('\n').length;
  const importsKysely = /^import (?!type )[^;]* from 'kysely';/m.test(source.text);
  const names = importsKysely ? [...executes, 'compile'] : executes; // Ajv has a method \`compile\`, too
  return nodesOf(source.text).flatMap(({ node, within }) => {
    const { callee } = node as { callee?: { property?: { name?: string }; object?: { start: number; end: number } } };
    if (node.type !== 'CallExpression' || !names.includes(callee?.property?.name ?? '')) return [];
    const object = source.text.slice(callee?.object?.start, callee?.object?.end);
    if (/\.(transaction|connection)\(\)$|^wire$/.test(object)) return []; // nor does the connection of pg
    return [{ path: source.path, name: within, from: lineOf(node.start), to: lineOf(node.end) }];
  });
}

export const isCompiledAt = ({ path, from, to }: Call, { lines }: Statement): boolean =>
  lines.some((line) => line.path === path && line.line >= from && line.line <= to);
