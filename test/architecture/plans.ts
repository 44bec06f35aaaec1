import type { Database } from '@waybill/server/database/connect';
import { sql } from 'kysely';

interface Plan {
  Alias?: string;
  'Relation Name'?: string;
  'Node Type': string;
  Plans?: Plan[];
  [key: string]: unknown;
}

/** The tables whose rows belong to an account. */
export async function tenantTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id'`.execute(db);
  return rows.map(({ table_name }) => table_name);
}

/** Partition → its table. */
async function partitionParents(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; parent: string }>`
    select inhrelid::regclass::text as name, inhparent::regclass::text as parent from pg_inherits`.execute(db);
  return new Map(rows.map(({ name, parent }) => [name, parent]));
}

const conditions = ['Index Cond', 'Recheck Cond', 'Filter', 'Hash Cond', 'Merge Cond', 'Join Filter'];
const equality = /^(\w+)\.account_id = (?:(\w+)\.account_id|\(?(\$\d+)\)?(?:::uuid)?)$/;

/** What must all be true, taken apart at its ANDs: what stands under an OR or in a CASE binds nothing. */
function conjuncts(condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  const whole = /^\((.*)\)$/.exec(condition)?.[1] ?? condition;
  for (let at = 0; at < whole.length; at++) {
    if (whole[at] === '(') depth++;
    if (whole[at] === ')') depth--;
    if (depth < 0) return [condition]; // the outer parentheses were no pair
    if (depth === 0 && whole.startsWith(' AND ', at)) {
      parts.push(whole.slice(start, at));
      start = at + ' AND '.length;
    }
  }
  return parts.length === 0 ? [whole] : [...parts, whole.slice(start)].flatMap(conjuncts);
}

/**
 * The tables of accounts that a statement reads or changes without being told whose rows: PostgreSQL's own plan must
 * bind the account of each to a parameter, if through others. An insertion names its account, the column being
 * required.
 */
export async function unbound(db: Database, text: string, tables: string[]): Promise<string[]> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
    explain (generic_plan, verbose, format json) ${sql.raw(text)}`.execute(db);
  const nodes = rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => below(Plan)) ?? [];
  const isTenant = (plan: Plan): boolean => tables.includes(plan['Relation Name'] ?? '');
  const scans = nodes.filter((plan) => isTenant(plan) && plan['Node Type'] !== 'ModifyTable');
  const tenants = new Set(scans.map(({ Alias }) => Alias));

  // A bitmap of an index may be one side of an OR; the scan of the table above it has the whole condition.
  const whole = nodes.filter((plan) => plan['Node Type'] !== 'Bitmap Index Scan');
  const equalities = whole.flatMap((plan) =>
    conditions
      .flatMap((name) => conjuncts(String(plan[name] ?? '')))
      .flatMap((condition) => {
        const match = equality.exec(condition);
        return match ? [match.slice(1)] : [];
      }),
  );
  // What is no table of accounts is a list of parameters or a part of the statement that was checked itself.
  const bound = new Set<string | undefined>();
  for (let before = -1; before < bound.size; ) {
    before = bound.size;
    for (const [one, other, parameter] of equalities) {
      const isKnown = (alias: string | undefined): boolean => bound.has(alias) || (!!alias && !tenants.has(alias));
      if (parameter || isKnown(other)) bound.add(one);
      if (isKnown(one)) bound.add(other);
    }
  }
  const parents = await partitionParents(db);
  const loose = scans.filter(({ Alias }) => !bound.has(Alias)).map((plan) => plan['Relation Name'] ?? '');
  return [...new Set(loose.map((name) => parents.get(name) ?? name))];
}

const below = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(below)];
