package waybill;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import waybill.Client.ApiTimeoutException;
import waybill.Client.Retry;
import waybill.Client.ServerSentEvent;
import waybill.Client.SseOpener;

/**
 * The events of a stream, until the caller takes no more, or an error that a retry does not change. The stream is opened again after
 * the last event when it ends, is cut or stays silent.
 */
final class EventStream extends Client.LazyIterator<ServerSentEvent> {
    /** In characters: far more than any event has. */
    private static final int LONGEST_FRAME = 16 * 1024 * 1024;
    private static final Retry BACKOFF = new Retry().delay(Duration.ofMillis(250));

    private final SseOpener open;
    private final Duration idle;
    private final StringBuilder buffer = new StringBuilder();
    private final char[] chunk = new char[4096];
    private InputStream body;
    private Reader characters;
    private String lastEventId;
    private Duration serverRetry = Duration.ofSeconds(1);
    private String retryAfter;
    private int failures;

    EventStream(SseOpener open, Duration idle) {
        this.open = open;
        this.idle = idle;
    }

    @Override
    protected ServerSentEvent fetch() {
        while (true) {
            int end = buffer.indexOf("\n\n");
            if (end >= 0) {
                ServerSentEvent event = take(buffer.substring(0, end));
                buffer.delete(0, end + 2);
                if (event != null) {
                    return event;
                }
                continue;
            }
            Duration pause = serverRetry;
            try {
                if (read()) {
                    continue;
                }
            } catch (IOException | UncheckedIOException | ApiTimeoutException lost) {
                Duration backoff = Client.retryDelay(BACKOFF, ++failures, retryAfter);
                pause = backoff.compareTo(serverRetry) > 0 ? backoff : serverRetry;
            }
            close();
            Client.sleep(pause);
        }
    }

    /** @return whether the stream goes on */
    private boolean read() throws IOException {
        if (body == null) {
            connect();
        }
        int count = Exchange.read(characters, chunk, body, idle);
        if (count < 0) {
            return false;
        }
        buffer.append(chunk, 0, count);
        for (int at = buffer.indexOf("\r\n"); at >= 0; at = buffer.indexOf("\r\n", at)) {
            buffer.deleteCharAt(at);
        }
        if (buffer.length() > LONGEST_FRAME) {
            throw new IllegalStateException("An event of the stream is too long");
        }
        return true;
    }

    private void connect() throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", "text/event-stream");
        if (lastEventId != null) {
            headers.put("Last-Event-ID", lastEventId);
        }
        retryAfter = null;
        HttpResponse<InputStream> response = open.open(headers);
        if (!Exchange.isEventStream(response.headers())) {
            retryAfter = response.headers().firstValue("Retry-After").orElse(null);
            RuntimeException error = Client.apiErrorFrom(response, response.uri().toString());
            if (!Client.defaultRetryOn("GET", headers, response, null)) {
                throw error;
            }
            throw new IOException(error);
        }
        body = response.body();
        characters = new InputStreamReader(body, StandardCharsets.UTF_8);
    }

    private ServerSentEvent take(String frame) {
        failures = 0;
        ServerSentEvent event = Client.parseSseFrame(frame, true);
        if (event == null) {
            return null;
        }
        if (event.id() != null) {
            lastEventId = event.id();
        }
        if (event.retry() != null && event.retry() >= 0) {
            serverRetry = Duration.ofMillis(event.retry());
        }
        return "".equals(event.data()) ? null : event;
    }

    private void close() {
        buffer.setLength(0); // an event that is not complete is none (HTML Living Standard, 9.2.6)
        Exchange.close(body);
        body = null;
    }
}
