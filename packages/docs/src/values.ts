import { maxBodyBytes } from '@waybill/contract/body-limit';
import { scopes } from '@waybill/contract/scopes';
import { clientTable } from './clients.ts';
import { conventionOf, descriptionsOf, headerLines, valueAt } from './contract.ts';
import { diagram } from './diagram.ts';
import { edi214Table } from './edi-214.ts';
import { errorList, errorTable } from './errors.ts';
import { eventTable } from './events.ts';
import { changeTable, exceptionTable, lifeList, statusTable, transitionTable } from './lifecycle.ts';
import { fence, prose, table } from './markdown.ts';
import { workflowTable } from './workflows.ts';

/** What a page gets for `{{ name: arguments }}`. */
const values: Record<string, (...args: string[]) => string> = {
  contract: valueAt,
  convention: (heading) => prose(conventionOf(heading ?? '')),
  bodyLimit: () => `${maxBodyBytes / 1024 ** 2} MiB`,
  mebibytes: (path) => `${Number(valueAt(path)) / 1024 ** 2} MiB`,
  diagram: () => `<figure>\n${diagram()}\n</figure>`,
  life: lifeList,
  events: eventTable,
  errors: (...codes) => (codes.length > 0 ? errorList(codes) : errorTable()),
  headers: (...names) => fence('http', headerLines(...names)),
  scopes: () =>
    table(
      ['Scope', 'Allows'],
      Object.entries(scopes).map(([scope, text]) => [`\`${scope}\``, text]),
    ),
  accessKinds: () => enumTable('Kind', 'AccessKind'),
  accessScopes: () => enumTable('Scope', 'AccessScope'),
  accessDetails: () => enumTable('Detail', 'AccessDetail'),
  statuses: statusTable,
  transitions: transitionTable,
  changes: changeTable,
  exceptions: exceptionTable,
  edi214: (element = '') => edi214Table(element),
  workflows: workflowTable,
  clientTable,
};

/** The values of an enumeration with their descriptions. */
const enumTable = (heading: string, schema: string): string =>
  table(
    [heading, 'Shows or permits'],
    Object.entries(descriptionsOf(schema)).map(([value, text]) => [`\`${value}\``, text.trim().replaceAll('\n', ' ')]),
  );

/** Replaces `{{ name: arguments }}` in a page by values of the contract. */
export const withValues = (page: string): string =>
  page.replaceAll(/{{ (\w+)(?:: (.+?))? }}/g, (_, name, args = '') => {
    const value = values[name];
    if (!value) throw new Error(`A page contains {{ ${name} }}, which src/values.ts does not have.`);
    return value(...args.split(' ').filter(Boolean));
  });
