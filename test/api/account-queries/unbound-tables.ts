import type { Database } from '@waybill/server/database/database';
import { sql } from 'kysely';

interface Plan {
  Alias?: string;
  'Relation Name': string;
  'Node Type': string;
  Plans?: Plan[];
  [key: string]: unknown;
}

/** Partition → its table. */
async function partitionParents(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; parent: string }>`
    select inhrelid::regclass::text as name, inhparent::regclass::text as parent from pg_inherits`.execute(db);
  return new Map(rows.map(({ name, parent }) => [name, parent]));
}

/** All nodes of the plan that PostgreSQL makes of a statement for all values of its parameters. Of a partition they name the table. */
async function genericPlan(db: Database, text: string): Promise<Plan[]> {
  const parents = await partitionParents(db);
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
    explain (generic_plan, verbose, format json) ${sql.raw(text)}`.execute(db);
  const below = ({ Plans = [], ...plan }: Plan): Plan[] => {
    const name = plan['Relation Name'] ?? '';
    return [{ ...plan, 'Relation Name': parents.get(name) ?? name }, ...Plans.flatMap(below)];
  };
  return rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => below(Plan)) ?? [];
}

const conditions = ['Index Cond', 'Recheck Cond', 'Filter', 'Hash Cond', 'Merge Cond', 'Join Filter'];
const equality = /^(\w+)\.account_id = (?:(\w+)\.account_id|\(?(\$\d+)\)?(?:::uuid)?)$/;

/** Splits a condition at its ANDs. A comparison below an OR or CASE binds no table. */
function conjuncts(condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  const inner = /^\((.*)\)$/.exec(condition)?.[1] ?? condition;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '(') depth++;
    if (inner[at] === ')') depth--;
    if (depth < 0) return [condition]; // the outer parentheses are not a pair
    if (depth === 0 && inner.startsWith(' AND ', at)) {
      parts.push(inner.slice(start, at));
      start = at + ' AND '.length;
    }
  }
  return parts.length === 0 ? [inner] : [...parts, inner.slice(start)].flatMap(conjuncts);
}

/**
 * The account tables that a statement reads or changes without restricting \`account_id\`. In PostgreSQL's plan the
 * column must equal a parameter, directly or through another table. Insertions are safe: the column is required.
 */
export async function unboundTables(db: Database, text: string, tables: string[]): Promise<string[]> {
  const nodes = await genericPlan(db, text);
  const scans = nodes.filter((plan) => tables.includes(plan['Relation Name']) && plan['Node Type'] !== 'ModifyTable');
  const accountAliases = new Set(scans.map(({ Alias }) => Alias));
  // A bitmap index scan may be one side of an OR. The scan of its table has the complete condition.
  const complete = nodes.filter((plan) => plan['Node Type'] !== 'Bitmap Index Scan');
  const texts = complete.flatMap((plan) => conditions.flatMap((name) => conjuncts(String(plan[name] ?? ''))));
  const equalities = texts.flatMap((condition) => {
    const [, ...sides] = equality.exec(condition) ?? [];
    return sides.length > 0 ? [sides] : [];
  });
  // Any other relation is a list of parameters, or a part of the statement that has its own conditions.
  const bound = new Set<string | undefined>();
  const isBound = (alias?: string): boolean => bound.has(alias) || (!!alias && !accountAliases.has(alias));
  for (let before = -1; before < bound.size; ) {
    before = bound.size;
    for (const [one, other, parameter] of equalities) {
      if (parameter || isBound(other)) bound.add(one);
      if (isBound(one)) bound.add(other);
    }
  }
  return [...new Set(scans.flatMap((plan) => (bound.has(plan.Alias) ? [] : plan['Relation Name'])))];
}
