// Package waybill is the client of Waybill, the freight shipment and tracking service. Every POST has an idempotency key, so
// that a retry does nothing twice.
package waybill

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Bearer is the Auth of an API key, or of the token of an access to one shipment.
func Bearer(key string) Auth {
	return Auth{Bearer: func() string { return key }}
}

// Ptr returns a pointer to a value, for optional fields and parameters.
func Ptr[T any](value T) *T {
	return &value
}

// WithIdempotencyKey returns a client whose POST requests have this key. Use it for one operation: requests with the same key
// take effect once.
func (c *Client) WithIdempotencyKey(key string) *Client {
	keyed := *c
	keyed.config.IdempotencyKey = func() string { return key }
	return &keyed
}

// FollowEvents iterates over all changes in order, without end: `for event, err := range`, or a function before Go 1.23. After
// is the id of the last event that was processed; without it the oldest one is the first. A request waits Wait seconds for the
// next event, 0 to 30, by default 20. It tries again without end; an error that
// would stay ends the iteration.
func (c *Client) FollowEvents(ctx context.Context, params *ListEventsParams) func(yield func(Event, error) bool) {
	next := ListEventsParams{}
	if params != nil {
		next = *params
	}
	if next.Wait == nil {
		next.Wait = Ptr[int64](20)
	}
	patient := *c
	patient.config.Timeout = time.Duration(*next.Wait+30) * time.Second
	patient.config.Retry.Retries = math.MaxInt - 1
	return func(yield func(Event, error) bool) {
		next := next
		for {
			started := time.Now()
			page, err := patient.ListEvents(ctx, &next)
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, event := range page.Data {
				if !yield(event, nil) {
					return
				}
			}
			if reflect.DeepEqual(page.NextAfter, next.After) { // for example while the service shuts down
				pause(ctx, time.Until(started.Add(time.Second)))
			}
			next.After = page.NextAfter
		}
	}
}

// UploadProofFile uploads a signature or photo. The result belongs into SubmitProofOfDelivery or RaiseException.
func (c *Client) UploadProofFile(ctx context.Context, trackingNumber TrackingNumber, kind KnownFileKind, contentType KnownFileType, file []byte) (UploadId, error) {
	digest := sha256.Sum256(file)
	request := ProofUploadRequest{Kind: kind, ContentType: contentType, Size: int64(len(file)), Sha256: hex.EncodeToString(digest[:])}
	upload, err := c.CreateProofUpload(ctx, trackingNumber, request)
	if err != nil {
		return "", err
	}
	_, err = c.sendSigned(ctx, requestSpec{OperationID: "putProofFile", Method: "PUT", URL: upload.UploadUrl, Headers: upload.Headers, Body: bytes.NewReader(file)})
	return upload.UploadId, err
}

// Download returns the bytes of a signature or photo, from its URL in a proof of delivery.
func (c *Client) Download(ctx context.Context, url string) ([]byte, error) {
	return c.sendSigned(ctx, requestSpec{OperationID: "getProofFile", Method: "GET", URL: url})
}

// sendSigned sends a request to a URL that the service has signed: it needs no key.
func (c *Client) sendSigned(ctx context.Context, spec requestSpec) ([]byte, error) {
	resp, err := send(ctx, &c.config, spec)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 {
		return nil, apiErrorFrom(resp, spec.URL)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/") { // such as the page of a portal
		return nil, apiErrorFrom(resp, spec.URL)
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// Problem is what the service says about the error. It is empty for a response that is not from Waybill.
func (e *APIError) Problem() (problem Problem) {
	_ = reencode(e.Body, &problem)
	return problem
}

// ErrInvalidWebhook says that a request does not come from Waybill, or was changed or delayed. Respond with 400 and do nothing.
var ErrInvalidWebhook = errors.New("invalid webhook")

// ErrInvalidSecret says that a secret is not one of an endpoint.
var ErrInvalidSecret = errors.New("a secret is not one of an endpoint: whsec_ and base64")

// In bytes (https://www.standardwebhooks.com). Without a secret anybody could sign.
const shortestSecret = 24

// WebhookVerifier verifies the signatures of webhooks (https://www.standardwebhooks.com).
type WebhookVerifier struct {
	// Secrets has the secret of the endpoint, or several while it is rotated.
	Secrets []string
	// Tolerance is how much the timestamp of a signature may differ from now. Default: 300 seconds.
	Tolerance time.Duration
	// Now replaces the clock in tests.
	Now func() time.Time
}

// Verify returns the event of a webhook. The body is exactly as it was received. The error is an
// ErrInvalidWebhook or an ErrInvalidSecret.
func (v WebhookVerifier) Verify(body []byte, header http.Header) (Event, error) {
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return Event{}, fmt.Errorf("%w: webhook-id, webhook-timestamp or webhook-signature is missing", ErrInvalidWebhook)
	}
	tolerance, now := v.Tolerance, time.Now
	if tolerance == 0 {
		tolerance = 300 * time.Second
	}
	if v.Now != nil {
		now = v.Now
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || now().Sub(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return Event{}, fmt.Errorf("%w: the timestamp is not within %s of now", ErrInvalidWebhook, tolerance)
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	valid := false
	for _, secret := range v.Secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < shortestSecret {
			return Event{}, ErrInvalidSecret
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range strings.Split(signatures, " ") {
			valid = hmac.Equal([]byte(signature), expected) || valid
		}
	}
	if !valid {
		return Event{}, fmt.Errorf("%w: no signature is of this body by one of the secrets", ErrInvalidWebhook)
	}
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		return Event{}, fmt.Errorf("%w: %v", ErrInvalidWebhook, err)
	}
	return event, nil
}

// Event is a change, with what every change has.
type Event struct {
	Id        EventId
	Type      EventType
	CreatedAt string
	// Value has the type of the event, such as ShipmentCreatedEvent. For a Type that this version does not know, it is a
	// map[string]any of the JSON.
	Value any
}

// UnmarshalJSON reads an event of a known or unknown type.
func (e *Event) UnmarshalJSON(data []byte) error {
	var common struct {
		Id        EventId   `json:"id"`
		Type      EventType `json:"type"`
		CreatedAt string    `json:"created_at"`
	}
	if err := json.Unmarshal(data, &common); err != nil {
		return err
	}
	value, err := unmarshalEvent(data)
	*e = Event{common.Id, common.Type, common.CreatedAt, value}
	return err
}

// MarshalJSON writes Value.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(e.Value)
}
