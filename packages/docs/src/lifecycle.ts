import { statuses, transitions } from '@waybill/contract/lifecycle';
import { mainLine } from './diagram.ts';
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

/** The statuses from the creation to the delivery, each with what has happened. */
export const lifeList = (): string =>
  mainLine(transitions)
    .map((status, index) => {
      const { description = '' } = transitions.find(({ to }) => to === status) ?? {};
      const dot = `<i class="dot" style="background: var(--${status.replaceAll('_', '-')})"></i>`;
      return `${index + 1}. ${dot} \`${status}\` ${line(description)}`;
    })
    .join('\n');
