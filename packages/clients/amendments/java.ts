import { type Amendment, reasons } from './amendment.ts';

const { lists, unknown, comments, keys, retries, pauses, portals, redirects } = reasons;
const subclass = 'Waybill extends the client and shares its settings';
const names = 'the field `data` keeps its name';
const wait = '`wait(20)` would call the method that every object has';
const bodies = 'a response that ends or stalls within its body is a failed attempt';
const removals = 'a record cannot say null, which removes a field';
const characters = 'a character may begin in one part of the stream and end in the next';
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
  {
    why: comments,
    find: /(serverRetry = event\.retry\(\);\s+\}\s+return )event;/g,
    replace: '$1"".equals(event.data()) ? null : event;',
  },
  { why: characters, find: /private InputStream body;/g, replace: 'private java.io.Reader body;' },
  { why: characters, find: /byte\[\] chunk = new byte\[4096\]/g, replace: 'char[] chunk = new char[4096]' },
  {
    why: characters,
    find: /body = response\.body\(\);/g,
    replace: 'body = new java.io.InputStreamReader(response.body(), StandardCharsets.UTF_8);',
  },
  { why: characters, find: /(new String\(chunk, 0, read), StandardCharsets\.UTF_8\)/g, replace: '$1)' },
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
