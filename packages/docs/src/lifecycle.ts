import { statuses, transitions } from '@waybill/contract/lifecycle';
import { line, operationLink, table } from './markdown.ts';

/** A row for each status. */
export const statusTable = (): string =>
  table(
    ['Status', 'Meaning'],
    Object.entries(statuses).map(([status, meaning]) => [`\`${status}\``, line(meaning)]),
  );

/** A row for each possible change of the status. */
export const transitionTable = (): string =>
  table(
    ['From', 'To', 'Operation', 'Default description'],
    transitions.map(({ from, to, operation, description }) => [
      from ? `\`${from}\`` : '–',
      `\`${to}\``,
      operationLink(operation),
      line(description),
    ]),
  );
