import type { Operation } from '../contract.ts';
import { pascal } from './casing.ts';
import { image, keyVariable, type Member, type Part, type Request, requestOf, urlVariable } from './request.ts';

/** A Go program that calls an operation, with the examples of the contract. */
export function goSample(operation: Operation): string {
  const request = requestOf(operation);
  const { body, plansTomorrow } = request;
  const name = pascal(request.operationId);
  // A parameter that is a list is a pointer, too.
  const params = request.query.map(([key, , part]): [string, string] => [
    pascal(key),
    (part.kind === 'list' ? '&' : '') + printed(part, true),
  ]);
  const args = [
    'ctx',
    ...request.path.map(([, value]) => JSON.stringify(value)),
    ...(body ? [printed(body)] : []),
    ...(request.sendsFile ? ['file'] : []),
    ...(request.takesQuery ? [params.length > 0 ? `&waybill.${name}Params{${fields(params)}}` : 'nil'] : []),
  ];
  const call = `client.${name}(${args.join(', ')})`;
  const result = lines(request, call);
  const packages = ['context', 'fmt', 'log', 'os', 'time'].filter(
    (each) =>
      each === 'context' || [...result, ...(plansTomorrow ? ['time.'] : [])].some((line) => line.includes(`${each}.`)),
  );
  return [
    'package main',
    '',
    'import (',
    ...packages.map((each) => `\t"${each}"`),
    '',
    '\twaybill "github.com/waybill-freight/waybill/packages/clients/go"',
    ')',
    '',
    'func main() {',
    ...[
      'ctx := context.Background()',
      `client := waybill.New(waybill.Config{}) // reads ${keyVariable} and ${urlVariable}`,
      ...(plansTomorrow ? ['tomorrow := time.Now().UTC().Add(24 * time.Hour).Format("2006-01-02")'] : []),
      ...result,
    ].map((line) => line.replaceAll(/^/gm, '\t')),
    '}',
  ].join('\n');
}

const fail = 'if err != nil {\n\tlog.Fatal(err)\n}';

function lines({ result, sendsFile }: Request, call: string): string[] {
  if (result === 'events')
    return [
      'client.StreamEvents(ctx, nil)(func(message waybill.ServerSentEvent, err error) bool {',
      '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}',
      '\tfmt.Println(message.Data)',
      '\treturn message.Event != "tracking.status_reached" // whether to go on',
      '})',
    ];
  if (sendsFile) {
    const read = [`file, err := os.ReadFile("${image.file}")`, fail];
    return [...read, `if err := ${call}; err != nil {\n\tlog.Fatal(err)\n}`];
  }
  if (result === 'nothing') return [`if err := ${call}; err != nil {\n\tlog.Fatal(err)\n}`];
  if (result === 'value') return [`result, err := ${call}`, fail, 'fmt.Printf("%+v\\n", result)'];
  return [
    `file, err := ${call}`,
    fail,
    `if err := os.WriteFile("${image.file}", file, 0o600); err != nil {\n\tlog.Fatal(err)\n}`,
  ];
}

/** Keys with their values, which are aligned as `gofmt` does it. */
function fields(members: [key: string, value: string][]): string {
  const isLong = ([, value]: [string, string]) => value.includes('\n');
  const widthAt = (at: number): number => {
    const before = members.slice(0, at + 1).findLastIndex(isLong);
    const after = members.findIndex((each, index) => index >= at && isLong(each));
    const block = members.slice(before + 1, after < 0 ? undefined : after);
    return Math.max(...block.map(([key]) => key.length));
  };
  const all = multiline(members.map(([key, value]) => `${key}: ${value}`));
  if (!all.startsWith('\n')) return all;
  return multiline(
    members.map((each, at) => `${`${each[0]}:`.padEnd(isLong(each) ? 0 : widthAt(at) + 1)} ${each[1]}`),
    0,
  );
}

/** @param isOptional a field of an optional value is a pointer, but a list or a map is not */
function printed(part: Part, isOptional = false): string {
  const of = (value: string, type = ''): string => (isOptional ? `waybill.Ptr${type && `[${type}]`}(${value})` : value);
  const ofAny = (value: string): string => (isOptional ? `waybill.Ptr[any](${value})` : value);
  switch (part.kind) {
    case 'object':
      return struct(part.type, part.members, isOptional);
    case 'map':
      if (part.schema) return struct(part.schema, part.members, isOptional);
      return ofAny(`map[string]any{${fields(part.members.map(([name, value]) => [`"${name}"`, printed(value)]))}}`);
    case 'list':
      return `${isOptional && part.isNullable ? '&' : ''}${listType(part.items[0])}{${multiline(part.items.map((item) => printed(item)))}}`;
    case 'enum':
      return of(`waybill.${part.type}${pascal(part.value)}`);
    case 'tomorrow':
      return of(`tomorrow + "${part.time}"`);
    case 'plain':
      if (part.value === null) return 'nil';
      return of(
        JSON.stringify(part.value),
        typeof part.value === 'number' ? (part.isInteger ? 'int64' : 'float64') : '',
      );
  }
}

/** A null is the name of a field to remove. */
function struct(type: string, members: Member[], isOptional: boolean): string {
  const isNull = ([, part]: Member) => part.kind === 'plain' && part.value === null;
  const removed = members.filter(isNull).map(([name]) => `"${name}"`);
  const all = members
    .filter((each) => !isNull(each))
    .map(([name, value, optional]): [string, string] => [field(name), printed(value, optional)]);
  if (removed.length > 0) all.push(['Remove', `[]string{${removed.join(', ')}}`]);
  return `${isOptional ? '&' : ''}waybill.${type}{${fields(all)}}`;
}

const listType = (item: Part | undefined): string =>
  item?.kind === 'object' || item?.kind === 'enum' ? `[]waybill.${item.type}` : '[]string';

function multiline(parts: string[], longest = 80): string {
  const short = parts.join(', ');
  return short.length <= longest && !short.includes('\n') ? short : `\n${parts.join(',\n').replaceAll(/^/gm, '\t')},\n`;
}

/** `type` is a word of the language, and the generator keeps its mark in the field. */
const field = (name: string): string => (name === 'type' ? 'Type_' : pascal(name));
