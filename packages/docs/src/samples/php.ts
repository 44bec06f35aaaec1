import { enclosed } from '@waybill/contract/literal';
import type { Operation } from '../contract.ts';
import { camel, identifier, pascal } from './casing.ts';
import { image, keyVariable, type Part, type Request, requestOf, urlVariable } from './request.ts';

/** A PHP program that calls an operation, with the examples of the contract. */
export function phpSample(operation: Operation): string {
  const request = requestOf(operation);
  const { body, plansTomorrow, sendsFile } = request;
  const args = [
    ...request.path.map(([, value]) => literal(value)),
    ...(body ? [printed(body)] : []),
    ...(sendsFile ? [`file_get_contents('${image.file}')`, `['Content-Type' => '${image.type}']`] : []),
    ...request.query.map(([name, , part]) => `${camel(name)}: ${printed(part)}`),
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
    ...(plansTomorrow ? ["$tomorrow = gmdate('Y-m-d', time() + 86400);"] : []),
    ...lines(request, call),
  ].join('\n');
}

function lines({ result }: Request, call: string): string[] {
  if (result === 'events')
    return [
      'foreach ($client->streamEvents() as $message) {',
      '    print_r($message->data);',
      "    if ($message->data['type'] === 'tracking.status_reached') {",
      '        break;',
      '    }',
      '}',
    ];
  if (result === 'file') return [`file_put_contents('${image.file}', ${call});`];
  return result === 'nothing' ? [`${call};`] : [`$result = ${call};`, 'print_r($result);'];
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
      return `${part.type}::${identifier(pascal(part.value))}`;
    case 'tomorrow':
      return `"{$tomorrow}${part.time}"`;
    case 'plain':
      return literal(part.value);
  }
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
