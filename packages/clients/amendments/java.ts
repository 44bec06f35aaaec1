import { type Amendment, members, reasons } from './amendment.ts';

const { lists, unknown, keys, retries, pauses, portals, redirects, empty, streams, secrets } = reasons;
const subclass = 'Waybill extends the client and shares its settings';
const names = 'the field `data` keeps its name';
const wait = '`wait(20)` would call the method that every object has';
const bodies = 'a response that ends or stalls within its body is a failed attempt';
const removals = 'a record cannot say null, which removes a field';
const builders = 'the next optional field would break each caller that has all of them by position';

function withBuilder(declaration: string, record: string, lines: string): string {
  const fields = lines.trim().split(/,\n\s+/);
  const names = fields.map((field) => field.split(' ').at(-1));
  const setters = fields.map(
    (field, at) => `
            public Builder ${names[at]}(${field.replace(/^(Long|Double) /, (number) => number.toLowerCase())}) {
                this.${names[at]} = ${names[at]};
                return this;
            }
`,
  );
  return `${declaration}
        public static Builder builder() {
            return new Builder();
        }

        /** Builder — A field that is not set is not sent. */
        public static final class Builder {
            ${fields.map((field) => `private ${field};`).join('\n            ')}
${setters.join('')}
            public ${record} build() {
                return new ${record}(${names.join(', ')});
            }
        }
`;
}

export const java: Amendment[] = [
  { why: subclass, find: /public final class Client \{/g, replace: 'public class Client {' },
  { why: subclass, find: /private final Config config;/g, replace: 'final Config config;' },
  { why: names, find: / data2(?=,?\n)/g, replace: ' data' },
  { why: names, find: /, data2\)/g, replace: ', this.data)' },
  { why: wait, find: /(ListEventsParams )wait(\(Long wait\))/g, replace: '$1waitSeconds$2' },
  {
    why: builders,
    find: /public record (\w+)\(\n((?: {8}.+\n)+) {4}\) implements JsonValue(?:, Event)? \{/g,
    replace: withBuilder,
  },
  {
    why: removals,
    find: /(public \S+ (update\w+)\(String (\w+), )\w+Changes (body\) \{)/g,
    replace: '$&\n        return $2($3, body.toJson());\n    }\n\n    $1Map<String, Object> $4',
  },
  {
    why: lists,
    find: /for \(Object item : (params\.\w+)\) \{\s+(addQuery\(\w+, "\w+", )item\);\s+\}/g,
    replace: '$2String.join(",", $1.stream().map(Client::textValue).toList()));',
  },
  {
    why: unknown,
    find: /public sealed interface Event extends JsonValue \{\}/g,
    replace: `public sealed interface Event extends JsonValue {
        String id();

        String type();

        String createdAt();
    }

    /** RawEvent — An event of a type that this version does not know, as its JSON. */
    public record RawEvent(Map<String, Object> json) implements Event {
        @Override
        public String id() {
            return asString(json.get("id"));
        }

        @Override
        public String type() {
            return asString(json.get("type"));
        }

        @Override
        public String createdAt() {
            return asString(json.get("created_at"));
        }

        @Override
        public Map<String, Object> toJson() {
            return json;
        }
    }`,
  },
  {
    why: unknown,
    find: /throw new IllegalArgumentException\("Unknown type value: " \+ data\.get\("type"\)\);/g,
    replace: 'return new RawEvent(data);',
  },
  { why: streams, find: / {4}\/\*\*\n {5}\* Stream server-sent events[\s\S]*?^ {4}}\n\n/gm, replace: '' },
  {
    why: streams,
    find: /private (static (?:ServerSentEvent parseSseFrame|Duration retryDelay|boolean defaultRetryOn|void sleep)\()/g,
    replace: '$1',
  },
  {
    why: streams,
    find: /return iterSse\((extraHeaders -> \{[\s\S]*?return send\()config(, [\s\S]*?\}), true\);/g,
    replace: 'return () -> new EventStream($1config.once()$2, config.idleTimeout);',
  },
  {
    why: streams,
    find: /( +)Duration timeout;\n(?=\s+Retry retry)/g,
    replace: `$&$1Duration idleTimeout = Duration.ofSeconds(45);

$1/** The settings of one attempt. */
$1Config once() {
$1    Config other = new Config().serverUrl(serverUrl).httpClient(httpClient).auth(auth).retry(new Retry().retries(0));
$1    other.headers.putAll(headers);
$1    other.middleware.addAll(middleware);
$1    return other.timeout(timeout == null ? idleTimeout : timeout);
$1}

$1/** The time without a byte after which a stream of events is opened again. */
$1public Config idleTimeout(Duration idleTimeout) {
$1    this.idleTimeout = idleTimeout;
$1    return this;
$1}

`,
  },
  {
    why: secrets,
    find: /"Bearer " \+ auth\.bearer\.get\(\)/g,
    replace: 'bearer(auth.bearer.get())',
  },
  {
    why: secrets,
    find: / {4}static ResolvedAuth resolveAuth\(/g,
    replace: `    private static String bearer(String key) {
        if (!key.matches("[\\\\w.~+/-]+=*")) {
            throw new IllegalArgumentException("The API key is malformed. Check for quotes and line breaks.");
        }
        return "Bearer " + key;
    }

$&`,
  },
  {
    why: empty,
    find: /(\.fromJson\(|new PageResult\()decodeJson\(response\)/g,
    replace: '$1decodeBody(op.id(), response)',
  },
  {
    why: empty,
    find: / {4}\/\*\* The decoded JSON body, or null/g,
    replace: `    /** Operation and a member that the JSON of each success has. */
    private static final Map<String, String> SUCCESS_MEMBERS = Map.ofEntries(
${members.map(([id, member]) => `        Map.entry("${id}", "${member}")`).join(',\n')}
    );

    /** The JSON of a success, which is an object with the member that each has. */
    static Object decodeBody(String operation, HttpResponse<InputStream> response) {
        Object body = decodeJson(response);
        if (body instanceof Map<?, ?> members && members.get(SUCCESS_MEMBERS.get(operation)) != null) {
            return body;
        }
        throw new ApiException(response.uri().toString(), response.statusCode(), body);
    }

$&`,
  },
  {
    why: 'the JSON of a gateway has texts where a problem has numbers',
    find: /value instanceof String string && !string\.isEmpty\(\) \? (Long|Double)\.parse/g,
    replace: 'value instanceof String string && string.matches("-?\\\\d{1,18}") ? $1.parse',
  },
  { why: keys, find: /\(method\.equals\("POST"\) \|\| method\.equals\("PATCH"\)\)/g, replace: 'method.equals("POST")' },
  {
    why: retries,
    find: /return response != null && TRANSIENT_STATUS\.contains\(response\.statusCode\(\)\);/g,
    replace: `String after = response.headers().firstValue("Retry-After").orElse(null);
        if (retryDelay(new Retry(), 1, after).compareTo(LONGEST_RETRY_AFTER) > 0) {
            return false;
        }
        return TRANSIENT_STATUS.contains(response.statusCode()) || (response.statusCode() == 409 && after != null);`,
  },
  {
    why: retries,
    find: /private static final List<Integer> TRANSIENT_STATUS = /g,
    replace: `/** After a longer time the caller decides. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(60);
    $&`,
  },
  { why: pauses, find: /1L << \(attempt - 1\)/g, replace: '1L << Math.min(attempt - 1, 7)' },
  {
    why: portals,
    find: /return text\.isBlank\(\) \? null : Json\.parse\(text\);/g,
    replace: `try {
            return text.isBlank() ? null : Json.parse(text);
        } catch (IllegalArgumentException notJson) {
            throw new ApiException(response.uri().toString(), response.statusCode(), text);
        }`,
  },
  { why: redirects, find: /response\.statusCode\(\) >= 400/g, replace: 'response.statusCode() >= 300' },
  {
    why: bodies,
    find: /httpClient\.send\(builder\.build\(\), HttpResponse\.BodyHandlers\.ofInputStream\(\)\)/g,
    replace: 'Exchange.send(httpClient, builder.build(), config.timeout)',
  },
];
