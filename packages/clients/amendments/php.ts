import { type Amendment, members, reasons } from './amendment.ts';

const { lists, comments, keys, retries, pauses, redirects, empty, streams, secrets } = reasons;

/** In the place of the generated function, which ends with the stream, also with one that is cut. */
const iterSse = `/** In bytes: far more than any event has. */
const LONGEST_FRAME = 16 * 1024 * 1024;

/**
 * The events of a stream, until the caller ends the iteration. It is opened again after the last event when it ends, is cut, or
 * sends nothing for the seconds of \`$idle\`. \`$open(array $extraHeaders)\` returns a handle that is not yet executed.
 *
 * @throws ApiError for a response that is no stream, and that a retry does not change
 */
function iterSse(callable $open, float $idle): \\Generator
{
    $lastEventId = null;
    $serverRetry = 1.0;
    $failures = 0;
    while (true) {
        $extra = ['Accept' => 'text/event-stream'];
        if ($lastEventId !== null) {
            $extra['Last-Event-ID'] = $lastEventId;
        }
        $handle = $open($extra);
        $headers = [];
        $buffer = '';
        $lastByte = microtime(true);
        curl_setopt_array($handle, [
            CURLOPT_HEADERFUNCTION => function ($ch, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($ch, string $chunk) use (&$buffer, &$lastByte): int {
                $buffer .= $chunk;
                $lastByte = microtime(true);
                return strlen($chunk);
            },
        ]);
        $multi = curl_multi_init();
        curl_multi_add_handle($multi, $handle);
        do {
            curl_multi_exec($multi, $running);
            if ($running > 0 && curl_multi_select($multi, 0.1) < 0) {
                usleep(10_000);
            }
            $isStream = str_starts_with(strtolower($headers['content-type'] ?? ''), 'text/event-stream');
            $frames = $isStream ? explode("\\n\\n", str_replace("\\r\\n", "\\n", $buffer)) : [$buffer];
            $buffer = array_pop($frames);
            if (strlen($buffer) > LONGEST_FRAME) {
                throw new \\RuntimeException('An event of the stream is too long');
            }
            foreach ($frames as $frame) {
                $failures = 0;
                [$event, $id, $retry] = parseSseFrame($frame, true);
                $lastEventId = $id ?? $lastEventId;
                $serverRetry = $retry === null ? $serverRetry : $retry / 1000;
                if ($event !== null) {
                    yield $event;
                    $lastByte = microtime(true); // the caller may take its time
                }
            }
        } while ($running > 0 && microtime(true) - $lastByte < $idle);
        $isComplete = $running === 0 && (curl_multi_info_read($multi)['result'] ?? null) === CURLE_OK;
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        $url = (string) curl_getinfo($handle, CURLINFO_EFFECTIVE_URL);
        curl_multi_remove_handle($multi, $handle);
        curl_multi_close($multi);
        $pause = $serverRetry;
        if (!$isComplete || !$isStream) {
            $retryAfter = $headers['retry-after'] ?? null;
            if ($isComplete && !defaultRetryOn(['method' => 'GET', 'status' => $status, 'retryAfter' => $retryAfter])) {
                throw apiErrorFrom(['url' => $url, 'status' => $status, 'reason' => '', 'body' => $buffer]);
            }
            $pause = max($pause, retryDelay(++$failures, ['delay' => 0.25], $retryAfter));
        }
        usleep((int) ($pause * 1e6));
    }
}

`.replaceAll('$', '$$$$');

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
  { why: streams, find: /^\/\*\*\n \* Stream server-sent events[\s\S]*?^}\n\n/gm, replace: iterSse },
  { why: streams, find: /iterSse\(\$open, true\)/g, replace: 'iterSse($open, $$this->config->idleTimeout)' },
  {
    why: streams,
    find: /( +)public array \$onSettled = \[\],\n/g,
    replace:
      '$&$1/** Seconds without a byte after which a stream of events is opened again. */\n$1public float $idleTimeout = 45,\n',
  },
  {
    why: secrets,
    find: /return (is_callable\(\$provider\) \? .*;)/g,
    replace: `$token = $1
    if (!preg_match('#^[\\w.~+/-]+=*$#D', $token)) {
        throw new \\InvalidArgumentException('The API key is malformed. Check for quotes and line breaks.');
    }
    return $token;`,
  },
  {
    why: empty,
    find: /(::fromArray\(|return \[)decodeJson\(\$response\)/g,
    replace: "$1decodeBody($op['id'], $response)",
  },
  {
    why: empty,
    find: /\/\*\* `ApiError` from a non-2xx/g,
    replace: `/** Operation => a member that the JSON of each success has. */
const SUCCESS_MEMBERS = [
${members.map(([id, member]) => `    '${id}' => '${member}',\n`).join('')}];

/** The JSON of a success, which is an object with the member that each has. */
function decodeBody(string $operation, array $response): array
{
    $body = decodeJson($response);
    return isset($body[SUCCESS_MEMBERS[$operation]]) && is_array($body) ? $body : throw apiErrorFrom($response);
}

$&`,
  },
  {
    why: redirects,
    find: /\$response\['status'\] >= 400/g,
    replace: "$response['status'] >= 300",
  },
];
