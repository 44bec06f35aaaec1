// Runs the commands of test/conformance/runner.ts with the Go client: one JSON line in, one out.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"
	"time"

	waybill "github.com/waybill-freight/waybill/packages/clients/go"
)

type command struct {
	Do, Operation, URL, Key string
	Path, Query, Body       json.RawMessage
	IdempotencyKey          string `json:"idempotency_key"`
	Count                   int
	After                   *string
	Types                   *[]waybill.KnownEventType
	TrackingNumber          string `json:"tracking_number"`
	Kind                    waybill.FileKind
	ContentType             waybill.ImageType `json:"content_type"`
	File                    []byte
	Headers                 map[string]string
	Secrets                 any
}

type object = map[string]any

var (
	client *waybill.Client
	ctx    = context.Background()
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// decode fails for a member that the type does not have.
func decode(data []byte, target any) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	must(decoder.Decode(target))
}

// call calls a method of the client with values of the types of its parameters.
func call(name string, request command) []reflect.Value {
	method := reflect.ValueOf(client).MethodByName(strings.ToUpper(name[:1]) + name[1:])
	args := []reflect.Value{reflect.ValueOf(ctx)}
	path := json.NewDecoder(bytes.NewReader(request.Path))
	_, _ = path.Token()
	for i := 1; i < method.Type().NumIn(); i++ {
		arg := reflect.New(method.Type().In(i))
		switch arg.Elem().Kind() {
		case reflect.String:
			_, _ = path.Token()
			value, err := path.Token()
			must(err)
			arg.Elem().SetString(value.(string))
		case reflect.Pointer: // the fields of queries have no names in JSON: has_exception is HasException
			query, named := object{}, object{}
			decode(request.Query, &query)
			for name, value := range query {
				named[strings.ReplaceAll(name, "_", "")] = value
			}
			data, err := json.Marshal(named)
			must(err)
			decode(data, arg.Interface())
		default:
			decode(request.Body, arg.Interface())
		}
		args = append(args, arg.Elem())
	}
	return method.Call(args)
}

// collect returns what an iterator yields, at most count.
func collect(iterator reflect.Value, count int) (items []any, err error) {
	items = []any{}
	yield := reflect.MakeFunc(iterator.Type().In(0), func(args []reflect.Value) []reflect.Value {
		if err, _ = args[1].Interface().(error); err == nil {
			items = append(items, args[0].Interface())
		}
		return []reflect.Value{reflect.ValueOf(err == nil && len(items) < count)}
	})
	iterator.Call([]reflect.Value{yield})
	return items, err
}

func run(request command) (any, error) {
	switch request.Do {
	case "connect":
		retry := waybill.RetryConfig{RetryDelay: 10 * time.Millisecond}
		client = waybill.New(waybill.Config{ServerURL: request.URL, Auth: waybill.Bearer(request.Key), Retry: retry})
		return nil, nil
	case "call":
		if request.IdempotencyKey != "" {
			shared := client
			client = client.WithIdempotencyKey(request.IdempotencyKey)
			defer func() { client = shared }()
		}
		results := call(request.Operation, request)
		err, _ := results[len(results)-1].Interface().(error)
		return results[0].Interface(), err
	case "list":
		return collect(call(request.Operation+"Items", request)[0], 1000)
	case "follow":
		params := waybill.ListEventsParams{After: request.After, Types: request.Types, Wait: waybill.Ptr[int64](1)}
		return collect(reflect.ValueOf(client.FollowEvents(ctx, &params)), request.Count)
	case "upload":
		return client.UploadProofFile(ctx, request.TrackingNumber, request.Kind, request.ContentType, request.File)
	case "download":
		return client.Download(ctx, request.URL)
	default:
		var body string
		decode(request.Body, &body)
		header, verifier := http.Header{}, waybill.WebhookVerifier{}
		for name, value := range request.Headers {
			header.Set(name, value)
		}
		switch secrets := request.Secrets.(type) {
		case string:
			verifier.Secrets = []string{secrets}
		case []any:
			for _, secret := range secrets {
				verifier.Secrets = append(verifier.Secrets, secret.(string))
			}
		}
		return verifier.Verify([]byte(body), header)
	}
}

func typesOf(result any) (names []string) {
	switch value := result.(type) {
	case waybill.Event:
		if _, isRaw := value.Value.(object); isRaw {
			return []string{"raw"}
		}
		return []string{reflect.TypeOf(value.Value).Name()}
	case waybill.EventList:
		for _, event := range value.Data {
			names = append(names, typesOf(event)...)
		}
	case []any:
		for _, item := range value {
			names = append(names, typesOf(item)...)
		}
	}
	return names
}

func answer(request command) object {
	result, err := run(request)
	var failed *waybill.APIError
	var lost *url.Error
	switch {
	case errors.As(err, &failed):
		problem := failed.Problem()
		return object{"error": object{"status": failed.Status, "code": problem.Code, "errors": problem.Errors}}
	case errors.As(err, &lost) || errors.Is(err, waybill.ErrInvalidWebhook):
		return object{"error": object{"kind": err.Error()}}
	}
	must(err)
	return object{"result": result, "types": typesOf(result)}
}

func main() {
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for input.More() {
		var request command
		must(input.Decode(&request))
		must(output.Encode(answer(request)))
	}
}
