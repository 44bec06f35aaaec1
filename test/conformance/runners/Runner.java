import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import waybill.Client.*;
import waybill.Waybill;

/** Runs the commands of test/conformance/runner.ts with the Java client: one JSON line in, one out. */
record Runner(Map<String, Object> command) {
    private static Waybill client;

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(Json.write(new Runner(members(Json.parse(line))).answer()));
        }
    }

    private Map<String, ?> answer() throws Exception {
        try {
            Object result = run();
            return result == null ? Map.of() : Map.of("result", result, "types", typesOf(result));
        } catch (ApiException failure) {
            Problem problem = Problem.fromJson(failure.body);
            Map<String, Object> error = problem == null ? new HashMap<>() : problem.toJson();
            error.put("status", failure.status);
            return Map.of("error", error);
        } catch (ApiTimeoutException | UncheckedIOException | Waybill.WebhookVerificationException | IllegalArgumentException failure) {
            return Map.of("error", Map.of("message", failure.toString()));
        }
    }

    private Object run() throws Exception {
        switch (text("do")) {
            case "connect":
                Retry retry = new Retry().retries(4).delay(Duration.ofMillis(10));
                Auth auth = new Auth().bearer(text("key"));
                Duration timeout = Duration.ofSeconds((long) command.getOrDefault("timeout", 30L));
                Duration idle = Duration.ofSeconds((long) command.getOrDefault("idle", 45L));
                client = new Waybill(Waybill.settings().auth(auth).serverUrl(text("url")).retry(retry).timeout(timeout).idleTimeout(idle));
                return null;
            case "call":
                String key = text("idempotency_key");
                return call(key == null ? client : client.withIdempotencyKey(key), text("operation"));
            case "list":
                return first(1_000, (Iterable<?>) call(client, text("operation") + "Items"));
            case "follow":
                command.put("wait", 1L);
                return first((long) command.get("count"), client.followEvents(params(ListEventsParams.class, command)));
            case "stream":
                Iterable<ServerSentEvent> messages = client.streamEvents(new StreamEventsParams().after(text("after")));
                return first((long) command.get("count"), messages).stream().map(each -> ((ServerSentEvent) each).data()).toList();
            case "upload":
                KnownFileKind kind = KnownFileKind.fromWire(text("kind"));
                KnownFileType type = KnownFileType.fromWire(text("content_type"));
                return client.uploadProofFile(text("tracking_number"), kind, type, Base64.getDecoder().decode(text("file")));
            case "download":
                return Base64.getEncoder().encodeToString(client.download(text("url")));
            default:
                Map<String, Object> headers = members(command.get("headers"));
                Stream<?> secrets = command.get("secrets") instanceof List<?> list ? list.stream() : Stream.of(text("secrets"));
                byte[] body = text("body").getBytes(StandardCharsets.UTF_8);
                return Waybill.verifyWebhook(body, name -> (String) headers.get(name), secrets.map(String.class::cast).toList());
        }
    }

    private String text(String name) {
        return (String) command.get(name);
    }

    private Object call(Waybill caller, String name) throws Exception {
        boolean isRaw = command.get("body") instanceof Map<?, ?> body && body.containsValue(null);
        Method method = Stream.of(Waybill.class.getMethods())
            .filter(each -> each.getName().equals(name))
            .filter(each -> List.of(each.getParameterTypes()).contains(Map.class) == isRaw)
            .findAny().get();
        Iterator<Object> path = members(command.getOrDefault("path", Map.of())).values().iterator();
        List<Object> arguments = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            boolean isQuery = type.getSimpleName().endsWith("Params");
            arguments.add(type == String.class ? path.next()
                : isQuery ? params(type, members(command.get("query"))) : typed(type, command.get("body")));
        }
        try {
            return method.invoke(caller, arguments.toArray());
        } catch (InvocationTargetException failure) {
            throw (RuntimeException) failure.getCause();
        }
    }

    private static <T> T params(Class<T> type, Map<String, Object> values) throws Exception {
        T params = type.getConstructor().newInstance();
        for (Field field : type.getFields()) {
            String name = field.getName().replaceAll("[A-Z]", "_$0").toLowerCase();
            field.set(params, typed(field.getGenericType(), values.get(name)));
        }
        return params;
    }

    private static Object typed(Type type, Object json) throws Exception {
        if (json instanceof List<?> list && type instanceof ParameterizedType of) {
            List<Object> items = new ArrayList<>();
            for (Object item : list) {
                items.add(typed(of.getActualTypeArguments()[0], item));
            }
            return items;
        }
        if (json == null || !(type instanceof Class<?> known) || known.getName().startsWith("java.")) {
            return json;
        }
        boolean isEnum = known.isEnum();
        return known.getMethod(isEnum ? "fromWire" : "fromJson", isEnum ? String.class : Object.class).invoke(null, json);
    }

    private static List<?> first(long count, Iterable<?> items) {
        return StreamSupport.stream(items.spliterator(), false).limit(count).toList();
    }

    private static List<String> typesOf(Object result) {
        List<?> events = result instanceof EventList page ? page.data() : result instanceof List<?> list ? list : List.of(result);
        return events.stream().map(event -> event instanceof RawEvent ? "raw" : event.getClass().getSimpleName()).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(Object json) {
        return (Map<String, Object>) json;
    }
}
