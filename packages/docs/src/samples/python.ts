import { enclosed } from '@waybill/contract/literal';
import type { Operation } from '../contract.ts';
import { screaming } from './casing.ts';
import { image, keyVariable, type Part, type Request, requestOf, urlVariable } from './request.ts';

/** A Python program that calls an operation, with the examples of the contract. */
export function pythonSample(operation: Operation): string {
  const request = requestOf(operation);
  const { body, plansTomorrow, sendsFile } = request;
  const name = operation.operationId.replaceAll(/(?=[A-Z])/g, '_').toLowerCase();
  const args = [
    ...request.path.map(([, value]) => literal(value)),
    ...(body ? [printed(body)] : []),
    ...(sendsFile ? [`Path("${image.file}").read_bytes()`, `headers={"Content-Type": "${image.type}"}`] : []),
    ...request.query.map(([key, , part]) => `${key}=${printed(part)}`),
  ];
  // Python has four spaces.
  const call = enclosed(`client.${name}(`, args, ')').replaceAll(/^ +/gm, '$&$&');
  return [
    ...(plansTomorrow ? ['from datetime import datetime, timedelta, timezone'] : []),
    ...(sendsFile || request.result === 'file' ? ['from pathlib import Path'] : []),
    `from waybill import ${[...new Set([...(call.match(/\b(?!Path\b)[A-Z]\w+(?=[(.])/g) ?? []), 'Waybill'])].sort().join(', ')}`,
    '',
    `client = Waybill()  # reads ${keyVariable} and ${urlVariable}`,
    ...(plansTomorrow ? ['tomorrow = (datetime.now(timezone.utc) + timedelta(days=1)).date()'] : []),
    ...lines(request, call),
  ].join('\n');
}

function lines({ result }: Request, call: string): string[] {
  if (result === 'events')
    return [
      'for message in client.stream_events():',
      '    print(message.data)',
      '    if message.data["type"] == "tracking.status_reached":',
      '        break',
    ];
  if (result === 'file') return [`Path("${image.file}").write_bytes(${call})`];
  return result === 'nothing' ? [call] : [`result = ${call}`, 'print(result)'];
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
      return `${part.type}.${screaming(part.value)}`;
    case 'tomorrow':
      return `f"{tomorrow}${part.time}"`;
    case 'plain':
      return literal(part.value);
  }
}

/** Names of fields that mean something else in the language. */
const reserved = new Set(['type', 'from', 'in']);

const constants = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);
const literal = (value: unknown): string => constants.get(value) ?? JSON.stringify(value);
