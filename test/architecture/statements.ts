import { DefaultQueryCompiler } from 'kysely';
import pg from 'pg';
import type { Source } from './sources.ts';
import { nodesOf } from './sources.ts';

/** A statement of the server, and the lines of its sources that made it. */
export interface Statement {
  text: string;
  lines: { path: string; line: number }[];
}

/** Where the server's sources make a statement: a query that is executed, or compiled once to be executed often. */
export interface Place {
  path: string;
  /** The function that the place is in, for a person to find it. */
  name: string;
  from: number;
  to: number;
}

/** Listens to Kysely, where statements are made, and to the driver, where texts are sent; as long as the process lives. */
export function listen(): { made: Statement[]; sent: Set<string> } {
  const made: Statement[] = [];
  const sent = new Set<string>();
  Error.stackTraceLimit = 60;

  const compiler = DefaultQueryCompiler.prototype;
  const compile = compiler.compileQuery;
  compiler.compileQuery = function (...args: Parameters<typeof compile>) {
    const query = compile.apply(this, args);
    made.push({ text: query.sql, lines: ownLines(new Error().stack ?? '') });
    return query;
  };

  const client = pg.Client.prototype as { query(...args: unknown[]): unknown };
  const query = client.query;
  client.query = function (...args: unknown[]) {
    const [first] = args;
    sent.add(typeof first === 'string' ? first : (first as { text: string }).text);
    return query.apply(this, args);
  };
  return { made, sent };
}

const ownLines = (stack: string): Statement['lines'] =>
  [...stack.matchAll(/(packages\/server\/src\/[\w./-]+):(\d+):\d+/g)].map(([, path = '', line]) => ({
    path,
    line: Number(line),
  }));

const executes = ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'stream'];

/** Every place that makes a statement; a transaction and a text that was compiled elsewhere make none of their own. */
export function placesIn(source: Source): Place[] {
  const lineOf = (offset: number): number => source.text.slice(0, offset).split('\n').length;
  const hasKysely = source.imports.some(({ from, isType }) => from === 'kysely' && !isType);
  const names = hasKysely ? [...executes, 'compile'] : executes; // a validator compiles as well
  return nodesOf(source.text).flatMap(({ node, within }) => {
    const { callee } = node as { callee?: { property?: { name?: string }; object?: { start: number; end: number } } };
    if (node.type !== 'CallExpression' || !names.includes(callee?.property?.name ?? '')) return [];
    const object = source.text.slice(callee?.object?.start, callee?.object?.end);
    if (/\.transaction\(\)$/.test(object)) return [];
    return [{ path: source.path, name: within, from: lineOf(node.start), to: lineOf(node.end) }];
  });
}

export const madeAt = ({ path, from, to }: Place, { lines }: Statement): boolean =>
  lines.some((line) => line.path === path && line.line >= from && line.line <= to);
