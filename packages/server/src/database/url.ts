import pg from 'pg';

/** Other parameters would override timeouts, encodings and the protocol, which the service sets. */
const parameters = [
  'application_name',
  'channel_binding',
  'host',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'uselibpqcompat',
];
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Returns what is wrong with the URL of a database, as a clause without the password; undefined when it is valid. */
export function databaseUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, searchParams, hash } = new URL(text);
  if (!['postgres:', 'postgresql:'].includes(protocol)) return 'must begin with postgres://';
  if (hash) return 'must not have a fragment; in a password, write # as %23';
  const other = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (other !== undefined) return `must not have the parameter ${other}, only ${parameters.join(', ')}`;
  const sslMode = searchParams.get('sslmode');
  if (sslMode !== null && !sslModes.includes(sslMode)) return `must have an sslmode of ${sslModes.join(', ')}`;
  try {
    new pg.Client(text); // throws when a part cannot be decoded or a certificate cannot be read
    return undefined;
  } catch (error) {
    return `is not valid (${error instanceof Error ? error.message : error})`;
  }
}
