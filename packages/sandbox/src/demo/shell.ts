/** Quotes a text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as one word of a shell command, quoted only where that is needed. */
export const word = (text: string): string => (/^[\w./-]+$/.test(text) ? text : quoted(text));

/**
 * Quotes a value as JSON in one word of a shell command, with a line for each member if it is long. The shell expands
 * strings that are `$NAME` or `$(command)`, with or without a number.
 */
export function json(value: object): string {
  const line = JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `  "${name}": ${JSON.stringify(member)}`);
  const text = line.length <= 90 ? line : `{\n${members.join(',\n')}\n}`;
  return quoted(text).replaceAll(/"(\$[A-Z_]+|\$\(\w+(?: \d+)?\))"/g, `"'"$1"'"`);
}
