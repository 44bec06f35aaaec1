import type { Operation } from '../contract.ts';
import { camel, pascal, screaming } from './casing.ts';
import { image, keyVariable, type Part, type Request, requestOf, urlVariable } from './request.ts';

/** The statements of a Java program that call an operation, with the examples of the contract. */
export function javaSample(operation: Operation): string {
  const request = requestOf(operation);
  const { operationId, body, plansTomorrow } = request;
  const changes = body?.kind === 'map' && body.members.length > 0 ? body.members : undefined;
  const query = request.query.map(([name, , part]) => `.${camel(name)}(${printed(part)})`);
  const args = [
    ...request.path.map(([, value]) => JSON.stringify(value)),
    ...(body ? [changes ? 'body' : printed(body)] : []),
    ...(request.sendsFile ? [`Files.readAllBytes(Path.of("${image.file}"))`] : []),
    ...(request.takesQuery ? [`new ${pascal(operationId)}Params()${query.join('')}`] : []),
  ];
  const text = lines(request, call(`client.${operationId}`, args));
  const statements = [
    `Waybill client = new Waybill(); // reads ${keyVariable} and ${urlVariable}`,
    ...(plansTomorrow ? ['LocalDate tomorrow = LocalDate.now(ZoneOffset.UTC).plusDays(1);'] : []),
    ...(changes ? ['Map<String, Object> body = new HashMap<>();'] : []),
    ...(changes ?? []).map(([key, value]) => `body.put("${key}", ${printed(value)});`),
    ...text,
  ];
  const imports = Object.entries(packages)
    .filter(([type]) => statements.some((line) => new RegExp(`\\b${type}\\b`).test(line)))
    .map(([, path]) => `import ${path};`);
  return [...imports, 'import waybill.Client.*;', 'import waybill.Waybill;', '', ...statements].join('\n');
}

const packages = {
  Files: 'java.nio.file.Files',
  Path: 'java.nio.file.Path',
  LocalDate: 'java.time.LocalDate',
  ZoneOffset: 'java.time.ZoneOffset',
  HashMap: 'java.util.HashMap',
  List: 'java.util.List',
  Map: 'java.util.Map',
};

function lines({ result }: Request, called: string): string[] {
  if (result === 'events')
    return [
      'for (ServerSentEvent message : client.streamEvents(null)) {',
      '    System.out.println(message.data());',
      '    if (message.event().equals("tracking.status_reached")) {',
      '        break;',
      '    }',
      '}',
    ];
  if (result === 'file') return [`Files.write(Path.of("${image.file}"), ${called});`];
  return result === 'nothing' ? [`${called};`] : [`var result = ${called};`, 'System.out.println(result);'];
}

function printed(part: Part): string {
  switch (part.kind) {
    case 'object': {
      const setters = part.members.map(([name, value]) => `.${camel(name)}(${printed(value)})`);
      const short = `${part.type}.builder()${setters.join('')}.build()`;
      if (short.length <= 80 && !short.includes('\n')) return short;
      return [
        `${part.type}.builder()`,
        ...setters.map((each) => `    ${each.replaceAll('\n', '\n    ')}`),
        '    .build()',
      ].join('\n');
    }
    case 'map':
      if (part.members.length === 0) return `new ${part.schema}()`;
      return call(
        'Map.of',
        part.members.flatMap(([name, value]) => [`"${name}"`, printed(value)]),
      );
    case 'list':
      return call('List.of', part.items.map(printed));
    case 'enum':
      return `${part.type}.${screaming(part.value)}`;
    case 'tomorrow':
      return `tomorrow + "${part.time}"`;
    case 'plain':
      return JSON.stringify(part.value) + (typeof part.value === 'number' ? (part.isInteger ? 'L' : 'd') : '');
  }
}

function call(name: string, args: string[]): string {
  const short = `${name}(${args.join(', ')})`;
  return short.length <= 90 && !short.includes('\n')
    ? short
    : `${name}(\n${args.join(',\n').replaceAll(/^/gm, '    ')})`;
}
