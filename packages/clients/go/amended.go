package waybill

// client.go calls these functions where `amendments/go.ts` corrects it.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// longestRetryAfter is in seconds. After a longer time the caller decides.
const longestRetryAfter = 60

// withDefaults makes a client safe whose settings are left out.
func withDefaults(config Config) Config {
	if config.ServerURL == "" {
		config.ServerURL = os.Getenv("WAYBILL_URL")
	}
	if key := os.Getenv("WAYBILL_API_KEY"); key != "" && config.Auth.Bearer == nil {
		config.Auth = Bearer(key)
	}
	if config.Timeout == 0 {
		config.Timeout = 30 * time.Second
	}
	if config.IdleTimeout == 0 {
		config.IdleTimeout = 45 * time.Second // the service sends a byte every 15 seconds
	}
	if config.Retry.Retries == 0 {
		config.Retry.Retries = 4
	}
	if config.Retry.RetryDelay == 0 {
		config.Retry.RetryDelay = 250 * time.Millisecond
	}
	if config.IdempotencyKey == nil {
		config.IdempotencyKey = randomKey
	}
	return config
}

func randomKey() string {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		panic(err)
	}
	return hex.EncodeToString(key)
}

// inQuery formats a value of a query parameter. A list is sent with commas.
func inQuery(value any) string {
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice {
		return fmt.Sprint(value)
	}
	items := make([]string, list.Len())
	for i := range items {
		items[i] = fmt.Sprint(list.Index(i))
	}
	return strings.Join(items, ",")
}

// withNulls is the JSON of an object with more members, which are null.
func withNulls(object any, names []string) ([]byte, error) {
	members := map[string]any{}
	if err := reencode(object, &members); err != nil {
		return nil, err
	}
	for _, name := range names {
		members[name] = nil
	}
	return json.Marshal(members)
}

// mayRepeat says whether a response permits another attempt.
func mayRepeat(resp *http.Response) bool {
	after := resp.Header.Get("Retry-After")
	if seconds, _ := strconv.ParseFloat(after, 64); seconds > longestRetryAfter {
		return false
	}
	return transientStatus[resp.StatusCode] || (resp.StatusCode == http.StatusConflict && after != "")
}

// exponent makes the pause before an attempt at most 128 times the first one.
func exponent(attempt int) int {
	if attempt > 8 {
		return 7
	}
	return attempt - 1
}

// decodeBody decodes the JSON of a success, which is an object with the member that each has.
func decodeBody(operation, requestURL string, resp *http.Response, target any) error {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var found map[string]any
	if err := json.Unmarshal(body, &found); err != nil || found[successMembers[operation]] == nil {
		resp.Body = io.NopCloser(bytes.NewReader(body))
		return apiErrorFrom(resp, requestURL)
	}
	return json.Unmarshal(body, target)
}

// complete reads the body of a response, so that one whose connection ends within it is an error that is retried. A stream of
// events has no end.
func complete(resp *http.Response, err error) (*http.Response, error) {
	if err != nil || isEventStream(resp) {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

func isEventStream(resp *http.Response) bool {
	return strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), "text/event-stream")
}

// sendOnce sends a request without retries. It ends with its context only.
func sendOnce(ctx context.Context, config Config, spec requestSpec) (*http.Response, error) {
	config.Timeout, config.Retry = 0, RetryConfig{}
	return send(ctx, &config, spec)
}

// longestFrame is in bytes: far more than any event has.
const longestFrame = 16 << 20

// iterSSE iterates over the events of a stream until the caller or the context ends it, or an error that a retry does not change.
// It opens the stream again after the last event when it ends, is cut, or sends nothing for the time idle.
func iterSSE(ctx context.Context, idle time.Duration, open func(ctx context.Context, extraHeaders map[string]string) (*http.Response, error)) func(yield func(ServerSentEvent, error) bool) {
	return func(yield func(ServerSentEvent, error) bool) {
		lastEventID, serverRetry, failures := "", time.Second, 0
		// read yields the events of one response. It returns io.EOF when the service has ended it.
		read := func(streamCtx context.Context, silence *time.Timer) (after string, isOver bool, err error) {
			headers := map[string]string{"Accept": "text/event-stream"}
			if lastEventID != "" {
				headers["Last-Event-ID"] = lastEventID
			}
			resp, err := open(streamCtx, headers)
			if err != nil {
				return "", false, err
			}
			defer resp.Body.Close()
			if !isEventStream(resp) {
				err := apiErrorFrom(resp, "")
				return resp.Header.Get("Retry-After"), !mayRepeat(resp), err
			}
			buffer, chunk := "", make([]byte, 4096)
			for {
				silence.Reset(idle)
				n, err := resp.Body.Read(chunk)
				silence.Stop() // the caller may take its time
				frames := strings.Split(strings.ReplaceAll(buffer+string(chunk[:n]), "\r\n", "\n"), "\n\n")
				buffer = frames[len(frames)-1]
				for _, frame := range frames[:len(frames)-1] {
					failures = 0
					event, ok, err := parseSSEFrame(frame, true)
					if err != nil {
						return "", true, err
					}
					if ok && event.ID != "" {
						lastEventID = event.ID
					}
					if ok && event.Retry >= 0 {
						serverRetry = time.Duration(event.Retry) * time.Millisecond
					}
					if ok && event.Data != "" && !yield(event, nil) {
						return "", true, nil
					}
				}
				if len(buffer) > longestFrame {
					return "", true, errors.New("an event of the stream is too long")
				}
				if err != nil {
					return "", false, err
				}
			}
		}
		for {
			streamCtx, cancel := context.WithCancel(ctx)
			silence := time.AfterFunc(idle, cancel)
			after, isOver, err := read(streamCtx, silence)
			silence.Stop()
			cancel()
			if isOver && err == nil {
				return
			}
			if ctx.Err() != nil {
				isOver, err = true, ctx.Err()
			}
			if isOver {
				yield(ServerSentEvent{}, err)
				return
			}
			delay := serverRetry
			if err != io.EOF {
				failures++
				if backoff := retryDelay(RetryConfig{RetryDelay: 250 * time.Millisecond}, failures, after); backoff > delay {
					delay = backoff
				}
			}
			pause(ctx, delay)
		}
	}
}

// pause waits, until the context ends.
func pause(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
