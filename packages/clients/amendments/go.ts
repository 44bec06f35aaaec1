import { type Amendment, members, reasons } from './amendment.ts';

const { lists, unknown, keys, retries, pauses, redirects, empty, streams, bytes } = reasons;
const defaults = 'a client without settings retries safely';
const removals = 'an absent field stays the same, and null removes it';
const cut = 'a connection may end within a response';
const contexts = 'a call or stream ends with its context, and not by a long outage';

/** The functions that they call are in `go/amended.go`. */
export const go: Amendment[] = [
  {
    why: lists,
    find: /for _, item := range (\*params\.\w+) \{\s+query\.Add\(("\w+"), fmt\.Sprint\(item\)\)\s+\}/g,
    replace: 'query.Set($2, inQuery($1))',
  },
  { why: lists, find: /(base\.Set\("\w+", )fmt\.Sprint\(/g, replace: '$1inQuery(' },
  { why: unknown, find: /^\/\/ Event is a discriminated union.*\ntype Event = any\n\n/gm, replace: '' },
  {
    why: unknown,
    find: /UnmarshalEvent( decodes[\s\S]*?func )UnmarshalEvent(\(data \[\]byte\) \()Event/g,
    replace: 'unmarshalEvent$1unmarshalEvent$2any',
  },
  {
    why: defaults,
    find: /^func New\(config Config\).*$/gm,
    replace:
      '// New returns a client of the service. What config leaves out has defaults, as README.md says.\n$&\n\tconfig = withDefaults(config)',
  },
  {
    why: removals,
    find: /^(type (\w+Changes) struct \{[\s\S]*?^)\}/gm,
    replace: `$1
	// Remove has the names of fields to remove, as in JSON.
	Remove []string \`json:"-"\`
}

// MarshalJSON writes null for the fields to remove.
func (changes $2) MarshalJSON() ([]byte, error) {
	type plain $2
	return withNulls(plain(changes), changes.Remove)
}`,
  },
  { why: keys, find: /\(method == "POST" \|\| method == "PATCH"\)/g, replace: 'method == "POST"' },
  { why: retries, find: /resp != nil && transientStatus\[resp\.StatusCode\]/g, replace: 'mayRepeat(resp)' },
  { why: pauses, find: /1<<\(attempt-1\)/g, replace: '1<<exponent(attempt)' },
  { why: redirects, find: /resp\.StatusCode >= 400 \{/g, replace: 'resp.StatusCode >= 300 {' },
  { why: cut, find: /httpClient\.Do\(req\)/g, replace: 'complete($&)' },
  { why: contexts, find: /= defaultRetryOn\(/g, replace: '= ctx.Err() == nil && defaultRetryOn(' },
  { why: contexts, find: /time\.Sleep\(retryDelay\(/g, replace: 'pause(ctx, retryDelay(' },
  { why: streams, find: /^\/\/ iterSSE streams [\s\S]*?^}\n\n/gm, replace: '' },
  { why: streams, find: /(open := func\()(extraHeaders)/g, replace: '$1ctx context.Context, $2' },
  {
    why: streams,
    find: /return send\(ctx, &c\.config, (.*)(\s+\}\s+return iterSSE\()open, true\)/g,
    replace: 'return sendOnce(ctx, c.config, $1$2ctx, c.config.IdleTimeout, open)',
  },
  {
    why: streams,
    find: /^type Config struct \{[\s\S]*?\sTimeout +time\.Duration/gm,
    replace:
      '$&\n\t// IdleTimeout is the time without a byte after which a stream of events is opened again. Default: 45 seconds.\n\tIdleTimeout time.Duration',
  },
  { why: empty, find: /decodeJSON\(resp, &/g, replace: 'decodeBody(op.ID, requestURL, resp, &' },
  {
    why: empty,
    find: /^var operations = /gm,
    replace: `// successMembers has a member that the JSON of each success of an operation has.
var successMembers = map[string]string{
${members.map(([id, member]) => `\t"${id}": "${member}",\n`).join('')}}

$&`,
  },
  {
    why: bytes,
    find: /(GetProofFile\(.*\) )error( \{[\s\S]*?return )(err\n[\s\S]*?return )(apiErrorFrom[\s\S]*?return )decodeJSON\(resp, nil\)/g,
    replace: '$1([]byte, error)$2nil, $3nil, $4io.ReadAll(resp.Body)',
  },
  {
    why: bytes,
    find: /(GetProofFileWithHeaders\(.*\) \()(.*\s[\s\S]*?return )(headers, err\n[\s\S]*?return )(headers, apiErrorFrom.*\s+\}\s+)if err := decodeJSON\(resp, nil\); err != nil \{\s+return ([\s\S]*?return )headers, nil/g,
    replace:
      '$1[]byte, $2nil, $3nil, $4data, err := io.ReadAll(resp.Body)\n\tif err != nil {\n\t\treturn nil, $5data, headers, nil',
  },
];
