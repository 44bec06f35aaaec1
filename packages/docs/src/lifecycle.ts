import { exceptionKinds } from '@waybill/contract/exceptions';
import { changes, lifecycle, type StatusRule, statuses } from '@waybill/contract/lifecycle';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { statusesBefore, steps } from '@waybill/contract/statuses';
import { line, operationLink, table } from './markdown.ts';

const rows = Object.entries(lifecycle) as [keyof typeof lifecycle, StatusRule][];

/** A row for each status. */
export const statusTable = (): string =>
  table(
    ['Status', 'Meaning'],
    Object.entries(statuses).map(([status, meaning]) => [`\`${status}\``, line(meaning)]),
  );

/** A row for each status: what it can follow, and what records it. */
export const transitionTable = (): string =>
  table(
    ['Status', 'Follows', 'Recorded by', 'Default description'],
    rows.map(([status, { from, operations, description }]) => [
      `\`${status}\``,
      from.length > 0 ? from.map((one) => `\`${one}\``).join(', ') : '–',
      operations.map(operationLink).join(', '),
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
  steps
    .map((status, index) => {
      const dot = `<i class="dot" style="background: var(--${status.replaceAll('_', '-')})"></i>`;
      return `${index + 1}. ${dot} \`${status}\` ${line(lifecycle[status].description)}`;
    })
    .join('\n');
