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

/** A PHP program that calls an operation, with the examples of the contract. */
export function phpSample(operation: Operation): string {
  const body = typedBody(operation);
  const query = queryOf(operation).map(([name, value]) => {
    const shown = Array.isArray(value)
      ? enclosed(
          '[',
          value.map((each) => member('KnownShipmentStatus', each)),
          ']',
        )
      : value;
    return `${name}: ${shown}`;
  });
  const args = [
    ...pathOf(operation).map(([, value]) => literal(value)),
    ...(body ? [printed(body)] : []),
    ...(sendsFile(operation) ? [`file_get_contents('${image.file}')`, `['Content-Type' => '${image.type}']`] : []),
    ...query,
  ];
  const call = enclosed(`$client->${operation.operationId}(`, args, ')').replaceAll(/^ +/gm, '$&$&');
  const used = [...new Set([...(call.match(/(?<=new )\w+|\w+(?=::)/g) ?? []), 'Waybill'])].sort();
  return [
    '<?php',
    "require 'vendor/autoload.php';",
    '',
    `use Waybill\\${used.length > 1 ? `{${used.join(', ')}}` : 'Waybill'};`,
    '',
    `$client = new Waybill(); // reads ${keyVariable} and ${urlVariable}`,
    ...(hasTomorrow(body) ? ["$tomorrow = gmdate('Y-m-d', time() + 86400);"] : []),
    ...lines(operation, call),
  ].join('\n');
}

function lines(operation: Operation, call: string): string[] {
  if (isStream(operation))
    return [
      'foreach ($client->streamEvents() as $message) {',
      '    print_r($message->data);',
      "    if ($message->data['type'] === 'tracking.status_reached') {",
      '        break;',
      '    }',
      '}',
    ];
  if (returnsFile(operation)) return [`file_put_contents('${image.file}', ${call});`];
  return returnsNothing(operation) ? [`${call};`] : [`$result = ${call};`, 'print_r($result);'];
}

function printed(part: Part): string {
  switch (part.kind) {
    case 'object':
      return enclosed(
        `new ${part.type}(`,
        part.members.map(([name, value]) => `${camel(name)}: ${printed(value)}`),
        ')',
      );
    case 'map':
      if (part.members.length === 0) return `new ${part.schema}()`;
      return enclosed(
        '[',
        part.members.map(([name, value]) => `'${name}' => ${printed(value)}`),
        ']',
      );
    case 'list':
      return enclosed('[', part.items.map(printed), ']');
    case 'enum':
      return member(part.type, part.value);
    case 'tomorrow':
      return `"{$tomorrow}${part.time}"`;
    case 'plain':
      return literal(part.value);
  }
}

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());

const member = (type: string, value: string): string => {
  const name = value.replaceAll(/(?:^|\W|_)(\w)/g, (_, letter) => letter.toUpperCase());
  return `${type}::${/^\d/.test(name) ? `_${name}` : name}`;
};

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
