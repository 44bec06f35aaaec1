package waybill

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// What the scenarios of test/conformance cannot say: contexts are of Go, and a secret that is forgotten is a mistake of the caller.

// serving returns a client of a service that gives each request the same response.
func serving(t *testing.T, status int, header http.Header, body string) *Client {
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		for name := range header {
			response.Header().Set(name, header.Get(name))
		}
		response.WriteHeader(status)
		_, _ = io.WriteString(response, body)
	}))
	t.Cleanup(server.Close)
	return New(Config{ServerURL: server.URL})
}

func TestCallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client := serving(t, 503, http.Header{"Retry-After": {"60"}}, "")
	attempts := 0
	client.config.Middleware = []Middleware{{
		OnRequest:  func(*http.Request) { attempts++ },
		OnResponse: func(*http.Response) { cancel() },
	}}
	if _, err := client.ListEvents(ctx, nil); !errors.Is(err, context.Canceled) || attempts != 2 {
		t.Fatalf("%v after %d attempts", err, attempts)
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client := serving(t, 200, http.Header{"Content-Type": {"text/event-stream"}, "Content-Length": {"1000"}}, "retry: 1\n\ndata: {}\n\n")
	events := 0
	var last error
	client.StreamEvents(ctx, nil)(func(_ ServerSentEvent, err error) bool {
		events, last = events+1, err
		cancel()
		return true
	})
	if !errors.Is(last, context.Canceled) || events != 2 {
		t.Fatalf("%v after %d events", last, events)
	}
}

func TestGetProofFileReturnsBytes(t *testing.T) {
	client := serving(t, 200, nil, "\x89PNG")
	file, err := client.GetProofFile(context.Background(), "token")
	again, _, err2 := client.GetProofFileWithHeaders(context.Background(), "token")
	if string(file) != "\x89PNG" || string(again) != "\x89PNG" || err != nil || err2 != nil {
		t.Fatal(file, again, err, err2)
	}
}

func TestEmptySecretVerifiesNothing(t *testing.T) {
	header := http.Header{"Webhook-Id": {"a"}, "Webhook-Timestamp": {"1"}, "Webhook-Signature": {"v1,b"}}
	_, err := WebhookVerifier{Secrets: []string{""}, Tolerance: 1 << 62}.Verify(nil, header)
	if err == nil || errors.Is(err, ErrInvalidWebhook) {
		t.Fatal(err)
	}
}
