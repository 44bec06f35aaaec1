package waybill;

import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The client of Waybill, the freight shipment and tracking service. Every POST has an idempotency key, so that a retry does
 * nothing twice. A client may be shared between threads.
 *
 * <p>A method throws {@code ApiException} for a response that is no success, {@code ApiTimeoutException} or
 * {@code UncheckedIOException} when no complete response arrived.
 */
public final class Waybill extends Client {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    /** In bytes (https://www.standardwebhooks.com). Without a secret anybody could sign. */
    private static final int SHORTEST_SECRET = 24;

    /** A client with {@link #settings()}. */
    public Waybill() {
        this(settings());
    }

    /** @param config {@link #settings()} with changes */
    public Waybill(Config config) {
        super(config);
    }

    /**
     * The key of the environment variable WAYBILL_API_KEY, the URL of WAYBILL_URL or the service of this machine, 30 seconds
     * for each attempt, and 4 retries: after a failed request, 408, 429, 5xx or {@code idempotency_in_progress}. The first
     * pause has up to a quarter of a second, and each next one up to twice as much. A stream of events is opened again after 45
     * seconds without a byte: the service sends some every 15.
     */
    public static Config settings() {
        String key = System.getenv("WAYBILL_API_KEY");
        String url = System.getenv("WAYBILL_URL");
        return new Config()
            .auth(key == null || key.isEmpty() ? new Auth() : new Auth().bearer(key))
            .serverUrl(url == null ? "" : url)
            .timeout(Duration.ofSeconds(30))
            .retry(new Retry().retries(4).delay(Duration.ofMillis(250)))
            .idempotencyKey(() -> UUID.randomUUID().toString())
            .httpClient(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    /** This client with a key for one POST, so that another process can repeat it: both have one effect. */
    public Waybill withIdempotencyKey(String key) {
        return with(config.timeout, config.retry, () -> key);
    }

    /** This client with another timeout of each attempt. */
    public Waybill withTimeout(Duration timeout) {
        return with(timeout, config.retry, config.idempotencyKey);
    }

    private Waybill with(Duration timeout, Retry retry, Supplier<String> idempotencyKey) {
        Config other = new Config()
            .auth(config.auth)
            .serverUrl(config.serverUrl)
            .timeout(timeout)
            .idleTimeout(config.idleTimeout)
            .retry(retry)
            .idempotencyKey(idempotencyKey)
            .httpClient(config.httpClient);
        other.headers.putAll(config.headers);
        other.middleware.addAll(config.middleware);
        return new Waybill(other);
    }

    /**
     * All changes in order, without end: an event that was processed before is not repeated. An event of a type that this
     * version does not know is a {@code RawEvent}.
     *
     * @param params {@code after} is the id of the last event that was processed; without it, the oldest event is first.
     *     {@code waitSeconds} is how long a request waits for the next event, 0 to 30; default: 20
     */
    public Iterable<Event> followEvents(ListEventsParams params) {
        long wait = params.wait == null ? 20 : params.wait;
        Retry endless = new Retry().retries(Integer.MAX_VALUE - 1).delay(config.retry.delay);
        Waybill waiting = with(Duration.ofSeconds(wait + 30), endless, config.idempotencyKey);
        return () -> new LazyIterator<>() {
            private String after = params.after;
            private Iterator<Event> events = Collections.emptyIterator();

            @Override
            protected Event fetch() {
                while (!events.hasNext()) {
                    long started = System.nanoTime();
                    EventList page = waiting.listEvents(
                        new ListEventsParams().after(after).types(params.types).limit(params.limit).waitSeconds(wait));
                    events = page.data().iterator();
                    if (Objects.equals(page.nextAfter(), after)) { // for example while the service shuts down
                        LockSupport.parkNanos(started + 1_000_000_000 - System.nanoTime());
                    }
                    after = page.nextAfter();
                }
                return events.next();
            }
        };
    }

    /** Uploads a signature or photo. The result belongs into {@code submitProofOfDelivery} or {@code raiseException}. */
    public String uploadProofFile(String trackingNumber, KnownFileKind kind, KnownFileType contentType, byte[] file) {
        ProofUploadRequest request = ProofUploadRequest.builder()
            .kind(kind)
            .contentType(contentType)
            .size(file.length)
            .sha256(HexFormat.of().formatHex(sha256(file)))
            .build();
        ProofUpload upload = createProofUpload(trackingNumber, request);
        send(new RequestSpec("putProofFile", "PUT", upload.uploadUrl())
            .headers(upload.headers())
            .body(file, contentType.wire()));
        return upload.uploadId();
    }

    /** The bytes of a signature or photo, from its URL in a proof of delivery. */
    public byte[] download(String url) {
        HttpResponse<InputStream> response = send(new RequestSpec("getProofFile", "GET", url));
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("text/")) { // such as the page of a portal
            throw apiErrorFrom(response, url);
        }
        return readBody(response);
    }

    /** A request to a URL that the service has signed: it needs no key. */
    private HttpResponse<InputStream> send(RequestSpec spec) {
        HttpResponse<InputStream> response = send(config, spec);
        if (response.statusCode() >= 300) {
            throw apiErrorFrom(response, spec.url);
        }
        return response;
    }

    /** {@link #verifyWebhook(byte[], Function, List, Duration, Instant)} with a tolerance of 5 minutes from now. */
    public static Event verifyWebhook(byte[] body, Function<String, String> header, List<String> secrets) {
        return verifyWebhook(body, header, secrets, TOLERANCE, Instant.now());
    }

    /**
     * Verifies the signature of a webhook (https://www.standardwebhooks.com) and returns its event.
     *
     * @param body exactly as it was received
     * @param header the value of a header by its name in any case, or null: {@code request::getHeader}
     * @param secrets the secret of the endpoint, or several while it is rotated
     * @param tolerance how much the timestamp of the signature may differ from {@code now}
     * @throws WebhookVerificationException when the request does not come from Waybill
     * @throws IllegalArgumentException when a secret is not one of an endpoint
     */
    public static Event verifyWebhook(
        byte[] body, Function<String, String> header, List<String> secrets, Duration tolerance, Instant now) {
        String id = required(header, "webhook-id");
        String timestamp = required(header, "webhook-timestamp");
        String[] signatures = required(header, "webhook-signature").split(" ");
        if (!timestamp.matches("[0-9]{1,12}")
            || Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs().compareTo(tolerance) > 0) {
            throw new WebhookVerificationException("The timestamp is not within " + tolerance.toSeconds() + " seconds of now");
        }
        boolean valid = false;
        for (String secret : secrets) {
            byte[] expected = hmac(secret, (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), body);
            for (String signature : signatures) {
                valid |= MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected);
            }
        }
        if (!valid) {
            throw new WebhookVerificationException("No signature is of this body by one of the secrets");
        }
        try {
            return parseEvent(Json.parse(new String(body, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException notJson) {
            throw new WebhookVerificationException("The body is not JSON");
        }
    }

    private static String required(Function<String, String> header, String name) {
        String value = header.apply(name);
        if (value == null) {
            throw new WebhookVerificationException("The header " + name + " is missing");
        }
        return value;
    }

    /** The signature of the parts, as it is in a header. */
    private static byte[] hmac(String secret, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            if (key.length < SHORTEST_SECRET) {
                throw new IllegalArgumentException("A secret is not one of an endpoint: whsec_ and base64");
            }
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return ("v1," + Base64.getEncoder().encodeToString(mac.doFinal())).getBytes(StandardCharsets.UTF_8);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // every Java has these algorithms
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The request does not come from Waybill, or it was changed or delayed. Respond with 400 and do nothing. */
    public static final class WebhookVerificationException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private WebhookVerificationException(String message) {
            super(message);
        }
    }
}
