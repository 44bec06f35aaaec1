import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import waybill.Client.*;
import waybill.Waybill;

/** Runs the commands of test/conformance/runner.ts with the Java client: one JSON line in, one out. */
final class Runner {
    private static Waybill client;

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(Json.write(answer(members(Json.parse(line)))));
        }
    }

    private static Map<String, ?> answer(Map<String, Object> command) throws Exception {
        try {
            Object result = run(command, name -> (String) command.get(name));
            return result == null ? Map.of() : Map.of("result", result, "types", typesOf(result));
        } catch (ApiException failure) {
            Problem problem = Problem.fromJson(failure.body);
            Map<String, Object> error = problem == null ? new HashMap<>() : problem.toJson();
            error.put("status", failure.status);
            return Map.of("error", error);
        } catch (ApiTimeoutException | UncheckedIOException | Waybill.WebhookVerificationException failure) {
            return Map.of("error", Map.of("kind", failure.getClass().getSimpleName()));
        }
    }

    private static Object run(Map<String, Object> command, java.util.function.Function<String, String> text) throws Exception {
        switch (text.apply("do")) {
            case "connect":
                client = new Waybill(Waybill.settings()
                    .auth(new Auth().bearer(text.apply("key")))
                    .serverUrl(text.apply("url"))
                    .retry(new Retry().retries(4).delay(Duration.ofMillis(10))));
                return null;
            case "call":
                String key = text.apply("idempotency_key");
                return call(key == null ? client : client.withIdempotencyKey(key), text.apply("operation"), command);
            case "list":
                return first(1_000, (Iterable<?>) call(client, text.apply("operation") + "Items", command));
            case "follow":
                command.put("wait", 1L);
                return first((long) command.get("count"), client.followEvents(params(ListEventsParams.class, command)));
            case "upload":
                FileKind kind = FileKind.fromWire(text.apply("kind"));
                ImageType type = ImageType.fromWire(text.apply("content_type"));
                byte[] file = Base64.getDecoder().decode(text.apply("file"));
                return client.uploadProofFile(text.apply("tracking_number"), kind, type, file);
            case "download":
                return Base64.getEncoder().encodeToString(client.download(text.apply("url")));
            default:
                List<?> secrets = command.get("secrets") instanceof List<?> list ? list : List.of(command.get("secrets"));
                return Waybill.verifyWebhook(
                    text.apply("body").getBytes(StandardCharsets.UTF_8),
                    name -> (String) members(command.get("headers")).get(name),
                    secrets.stream().map(String.class::cast).toList());
        }
    }

    private static Object call(Waybill caller, String name, Map<String, Object> command) throws Exception {
        Method method = Stream.of(Waybill.class.getMethods()).filter(each -> each.getName().equals(name)).findAny().get();
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
            field.set(params, typed(field.getGenericType(), values.get(field.getName().replaceAll("[A-Z]", "_$0").toLowerCase())));
        }
        return params;
    }

    private static Object typed(Type type, Object json) throws Exception {
        if (type instanceof ParameterizedType list && json != null) {
            List<Object> items = new ArrayList<>();
            for (Object item : (List<?>) json) {
                items.add(typed(list.getActualTypeArguments()[0], item));
            }
            return items;
        }
        if (json == null || type.getTypeName().startsWith("java.")) {
            return json;
        }
        boolean isEnum = ((Class<?>) type).isEnum();
        Method decode = isEnum ? ((Class<?>) type).getMethod("fromWire", String.class) : ((Class<?>) type).getMethod("fromJson", Object.class);
        return decode.invoke(null, json);
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
