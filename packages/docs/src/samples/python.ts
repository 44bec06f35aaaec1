import { enclosed } from '@waybill/contract/literal';
import type { Operation } from '../contract.ts';
import {
  hasTomorrow,
  image,
  isStream,
  keyVariable,
  type Part,
  pathOf,
  queryOf,
  returnsFile,
  returnsNothing,
  sendsFile,
  typedBody,
  urlVariable,
} from './request.ts';

/** A Python program that calls an operation, with the examples of the contract. */
export function pythonSample(operation: Operation): string {
  const body = typedBody(operation);
  const isFile = sendsFile(operation);
  const name = operation.operationId.replaceAll(/(?=[A-Z])/g, '_').toLowerCase();
  const args = [
    ...pathOf(operation).map(([, value]) => literal(value)),
    ...(body ? [printed(body)] : []),
    ...(isFile ? [`Path("${image.file}").read_bytes()`, `headers={"Content-Type": "${image.type}"}`] : []),
    ...queryOf(operation).map(([key, value]) => {
      return `${key}=${
        Array.isArray(value)
          ? enclosed(
              '[',
              value.map((each) => member('KnownShipmentStatus', each)),
              ']',
            )
          : value
      }`;
    }),
  ];
  // Python has four spaces.
  const call = enclosed(`client.${name}(`, args, ')').replaceAll(/^ +/gm, '$&$&');
  return [
    ...(hasTomorrow(body) ? ['from datetime import datetime, timedelta, timezone'] : []),
    ...(isFile || returnsFile(operation) ? ['from pathlib import Path'] : []),
    `from waybill import ${[...new Set([...(call.match(/\b(?!Path\b)[A-Z]\w+(?=[(.])/g) ?? []), 'Waybill'])].sort().join(', ')}`,
    '',
    `client = Waybill()  # reads ${keyVariable} and ${urlVariable}`,
    ...(hasTomorrow(body) ? ['tomorrow = (datetime.now(timezone.utc) + timedelta(days=1)).date()'] : []),
    ...lines(operation, call),
  ].join('\n');
}

function lines(operation: Operation, call: string): string[] {
  if (isStream(operation))
    return [
      'for message in client.stream_events():',
      '    print(message.data)',
      '    if message.data["type"] == "tracking.status_reached":',
      '        break',
    ];
  if (returnsFile(operation)) return [`Path("${image.file}").write_bytes(${call})`];
  return returnsNothing(operation) ? [call] : [`result = ${call}`, 'print(result)'];
}

function printed(part: Part): string {
  switch (part.kind) {
    case 'object':
      return enclosed(
        `${part.type}(`,
        part.members.map(([name, value]) => `${reserved.has(name) ? `${name}_` : name}=${printed(value)}`),
        ')',
      );
    case 'map':
      if (part.members.length === 0) return `${part.schema}()`;
      return enclosed(
        '{',
        part.members.map(([name, value]) => `"${name}": ${printed(value)}`),
        '}',
      );
    case 'list':
      return enclosed('[', part.items.map(printed), ']');
    case 'enum':
      return member(part.type, part.value);
    case 'tomorrow':
      return `f"{tomorrow}${part.time}"`;
    case 'plain':
      return literal(part.value);
  }
}

/** Names of fields that mean something else in the language. */
const reserved = new Set(['type', 'from', 'in']);

const member = (type: string, value: string): string =>
  `${type}.${value
    .toUpperCase()
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d)/, '_')}`;

const constants = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);
const literal = (value: unknown): string => constants.get(value) ?? JSON.stringify(value);
