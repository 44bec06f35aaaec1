import { type Amendment, reasons } from './amendment.ts';

const { lists, comments, keys, retries, pauses, portals, redirects } = reasons;

export const php: Amendment[] = [
  {
    why: lists,
    find: /list values repeat the key \(`tag=a&tag=b`\)([\s\S]*?foreach \()is_array\(\$value\) \? \$value : \[\$value\]/g,
    replace: "a list has commas (`tag=a,b`)$1[is_array($value) ? implode(',', $value) : $value]",
  },
  {
    why: comments,
    find: /return \[(new ServerSentEvent\(.*?\)), \$id, \$retry\];/g,
    replace: 'return [$dataLines === [] ? null : $1, $id, $retry];',
  },
  {
    why: keys,
    find: /if \(\(\$request\['idempotencyKey'\] \?\? null\) !== null\) \{\n(.* = \$request\['idempotencyKey'\]);/g,
    replace:
      "if ($request['method'] === 'POST' && !isset($headers['Idempotency-Key'])) {\n$1 ?? bin2hex(random_bytes(16));",
  },
  {
    why: retries,
    find: /return (in_array\(\$status, \[0, 408, .*\], true\));/g,
    replace: `$after = $context['retryAfter'] ?? '';
    if (ctype_digit($after) && (int) $after > LONGEST_RETRY_AFTER) {
        return false;
    }
    return $1 || ($status === 409 && $after !== '');`,
  },
  {
    why: retries,
    find: /'timedOut' => \$response\['timedOut'\],\n( +)'attempt' => \$attempt,/g,
    replace: "$&\n$1'retryAfter' => $response['headers']['retry-after'] ?? null,",
  },
  {
    why: retries,
    find: /\/\*\*\n \* The default retry predicate/g,
    replace: '/** In seconds. After a longer time the caller decides. */\nconst LONGEST_RETRY_AFTER = 60;\n\n$&',
  },
  {
    why: 'a required object may be null',
    find: /(public \?([A-Z]\w+) \$(\w+),[\s\S]*?\3: )(\2::fromArray\((\$data\['\w+'\])\))([\s\S]*?\$this->\3)(->toArray)/g,
    replace: '$1isset($5) ? $4 : null$6?$7',
  },
  {
    why: 'only an array can have null, which removes a field with a change',
    find: /([A-Z]\w+) \$body, /g,
    replace: '$1|array $body, ',
  },
  {
    why: 'a body without fields is the object {}, not the list []',
    find: /json_encode\(\$body->toArray\(\)\)/g,
    replace: 'json_encode((object) $body, JSON_THROW_ON_ERROR)',
  },
  {
    why: 'an object of a class within an array has the names of the contract',
    find: /^(final class \w+)(\n[\s\S]*?)( +public function )toArray\(\): array\n/gm,
    replace: `$1 implements \\JsonSerializable$2$3jsonSerialize(): object
    {
        return (object) $this->toArray();
    }

$3toArray(): array
`,
  },
  { why: pauses, find: /(\$base \* \(2 \*\* )\(\$attempt - 1\)/g, replace: '$1min($attempt - 1, 7)' },
  {
    why: portals,
    find: /::fromArray\(decodeJson\(\$response\)\)/g,
    replace: '::fromArray(decodeJson($response) ?? throw apiErrorFrom($response))',
  },
  {
    why: redirects,
    find: /\$response\['status'\] >= 400/g,
    replace: "$response['status'] >= 300",
  },
];
