package waybill;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One attempt of a request. The timeout of the JDK ends with the headers of a response; this one also bounds its body. */
final class Exchange {
    private static final BodyHandler<InputStream> BODY = response ->
        isEventStream(response.headers())
            ? BodySubscribers.ofInputStream()
            : BodySubscribers.mapping(BodySubscribers.ofByteArray(), ByteArrayInputStream::new);

    private Exchange() {}

    static boolean isEventStream(HttpHeaders headers) {
        return headers.firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    /**
     * Reads characters of a body.
     *
     * @return how many, or -1 at its end
     * @throws IOException when the connection is lost, or nothing arrives for the time {@code idle}
     */
    static int read(Reader characters, char[] chunk, InputStream body, Duration idle) throws IOException {
        CompletableFuture<Void> silence = new CompletableFuture<>();
        silence.completeOnTimeout(null, idle.toMillis(), TimeUnit.MILLISECONDS).thenRun(() -> close(body));
        try {
            return characters.read(chunk);
        } finally {
            silence.cancel(false);
        }
    }

    /** @param body null is none */
    static void close(InputStream body) {
        try {
            if (body != null) {
                body.close();
            }
        } catch (IOException ignored) {
            // The connection is gone either way.
        }
    }

    /**
     * Sends a request and waits for its whole response, or for the headers of an event stream.
     *
     * @param timeout null is none
     * @throws IOException when no complete response arrived, or not in time (HttpTimeoutException)
     */
    static HttpResponse<InputStream> send(HttpClient client, HttpRequest request, Duration timeout)
        throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> response = client.sendAsync(request, BODY);
        try {
            return timeout == null ? response.get() : response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure.getCause());
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("No complete response within " + timeout);
        } finally {
            response.cancel(true);
        }
    }
}
