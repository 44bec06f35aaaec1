/** Text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A value as one word of a shell command that is its JSON; a long one takes a line for each member. Strings that are
 * `$NAME` or `$(command)` become what the shell puts there.
 */
export function json(value: object): string {
  const line = JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `  "${name}": ${JSON.stringify(member)}`);
  const text = line.length <= 90 ? line : `{\n${members.join(',\n')}\n}`;
  return quoted(text).replaceAll(/"(\$[A-Z_]+|\$\(\w+\))"/g, `"'"$1"'"`);
}
