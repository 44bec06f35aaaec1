package waybill

// client.go calls these functions where `amendments/go.ts` corrects it.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
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

// complete reads the body of a response, so that one whose connection ends within it is an error that is retried. A stream of
// events has no end.
func complete(resp *http.Response, err error) (*http.Response, error) {
	if err != nil || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
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

// pause waits, until the context ends.
func pause(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
