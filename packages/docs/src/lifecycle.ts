import { exceptionKinds } from '@waybill/contract/exceptions';
import { changes, statuses, transitions } from '@waybill/contract/lifecycle';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { statusesBefore } from '@waybill/contract/statuses';
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

/** A row for the fields that can be changed until the same status. */
export const changeTable = (): string =>
  table(
    ['Can be changed', 'Fields', 'While the shipment is'],
    changes.map(({ description, fields, until }) => [
      line(description),
      fields.map((field) => `\`${field.slice(1).replaceAll('/', '.')}\``).join(', '),
      [...statusesBefore(until)]
        .reverse()
        .map((status) => `\`${status}\``)
        .join(', '),
    ]),
  );

/** A row for each code of an exception. */
export const exceptionTable = (): string =>
  table(
    ['Code', 'Meaning', 'Severity', 'Who acts', 'Next steps', 'Raised in'],
    Object.entries(exceptionKinds).map(([code, { severity, responsible, next, statuses }]) => [
      `\`${code}\``,
      line(contract.components.schemas.ExceptionCode['x-enumDescriptions'][code as KnownCode]),
      severity,
      responsible,
      next.map((step) => `\`${step}\``).join(', '),
      statuses.map((status) => `\`${status}\``).join(', '),
    ]),
  );

type KnownCode = keyof (typeof contract.components.schemas.ExceptionCode)['x-enumDescriptions'];

/** The statuses from the creation to the delivery, each with what has happened. */
export const lifeList = (): string =>
  mainLine(transitions)
    .map((status, index) => {
      const { description = '' } = transitions.find(({ to }) => to === status) ?? {};
      const dot = `<i class="dot" style="background: var(--${status.replaceAll('_', '-')})"></i>`;
      return `${index + 1}. ${dot} \`${status}\` ${line(description)}`;
    })
    .join('\n');
