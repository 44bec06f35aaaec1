import { literal, object } from '@waybill/contract/literal';
import type { Operation } from '../contract.ts';
import { planTomorrow } from '../tomorrow.ts';
import { image, keyVariable, requestOf, urlVariable } from './request.ts';

/** A program that calls an operation through the client, with the examples of the contract. */
export function typescriptSample(operation: Operation): string {
  const { operationId, path, query, example, sendsFile, result } = requestOf(operation);
  const members = [
    ...[...path, ...query, ...Object.entries(example ?? {})].map(([name, value]) => `${name}: ${literal(value)}`),
    ...(sendsFile ? [`file: new Blob([await readFile('${image.file}')], { type: '${image.type}' })`] : []),
  ];
  const isFile = result === 'file';
  const noResult = result === 'nothing';
  const imported = sendsFile ? 'readFile' : isFile ? 'writeFile' : '';
  if (result === 'events') return [...head, streamLoop].join('\n');
  const text = `client.${operationId}(${members.length > 0 ? object(members) : ''})`;
  const call = planTomorrow(text, (time) => `\`\${tomorrow}${time}\``);
  return [
    ...(imported ? [`import { ${imported} } from 'node:fs/promises';`] : []),
    ...head,
    ...(call === text ? [] : [setTomorrow]),
    noResult ? `await ${call};` : `const ${isFile ? 'file' : 'result'} = await ${call};`,
    ...(noResult ? [] : [isFile ? `await writeFile('${image.file}', file.stream());` : 'console.log(result);']),
  ].join('\n');
}

const head = [
  "import { createClient } from '@waybill/client';",
  '',
  `// Reads ${keyVariable} and ${urlVariable}.`,
  'const client = createClient();',
];

const setTomorrow = 'const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);';

/** It ends, so that the sample can be run. */
const streamLoop = `for await (const event of client.streamEvents()) {
  console.log(event);
  if (event.type === 'tracking.status_reached') break;
}`;
