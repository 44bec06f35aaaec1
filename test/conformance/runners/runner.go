// Runs the commands of test/conformance/runner.ts with the Go client: one JSON line in, one out.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	waybill "github.com/waybill-freight/waybill/packages/clients/go"
)

type request struct {
	Do, Operation, URL, Key, Idempotency_Key, Tracking_Number string
	Path, Query, Body, Secrets                                json.RawMessage
	Kind                                                      waybill.KnownFileKind
	Content_Type                                              waybill.KnownFileType
	File                                                      []byte
	Headers                                                   map[string]string
	Count, Timeout, Idle                                          int
	After                                                     *string
	Types                                                     *[]waybill.KnownEventType
}

type object map[string]any

var client *waybill.Client
var ctx = context.Background()
var pathValue, queryName = regexp.MustCompile(`:"(.*?)"`), regexp.MustCompile(`"\w+":`)

// decode fails for a member that the type does not have.
func decode(data []byte, target any) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	must(decoder.Decode(target))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// withoutUnderscores makes has_exception the name of the field HasException, which has no other in JSON.
func withoutUnderscores(name []byte) []byte {
	return bytes.ReplaceAll(name, []byte("_"), nil)
}

// call calls a method with values of the types of its parameters.
func call(name string, request request) []reflect.Value {
	client := client
	if request.Idempotency_Key != "" {
		client = client.WithIdempotencyKey(request.Idempotency_Key)
	}
	method := reflect.ValueOf(client).MethodByName(strings.ToUpper(name[:1]) + name[1:])
	args, path := []reflect.Value{reflect.ValueOf(ctx)}, pathValue.FindAllSubmatch(request.Path, -1)
	for len(args) < method.Type().NumIn() {
		arg := reflect.New(method.Type().In(len(args)))
		switch arg.Elem().Kind() {
		case reflect.String:
			arg.Elem().SetString(string(path[len(args)-1][1]))
		case reflect.Pointer:
			decode(queryName.ReplaceAllFunc(request.Query, withoutUnderscores), arg.Interface())
		default:
			decode(request.Body, arg.Interface())
			var members object
			must(json.Unmarshal(request.Body, &members))
			for name, value := range members {
				if remove := arg.Elem().FieldByName("Remove"); value == nil {
					remove.Set(reflect.Append(remove, reflect.ValueOf(name)))
				}
			}
		}
		args = append(args, arg.Elem())
	}
	return method.Call(args)
}

// collect returns what an iterator yields, at most count.
func collect(iterator any, count int) (any, error) {
	items, failure := []any{}, error(nil)
	function := reflect.ValueOf(iterator)
	yield := reflect.MakeFunc(function.Type().In(0), func(args []reflect.Value) []reflect.Value {
		if failure, _ = args[1].Interface().(error); failure == nil {
			items = append(items, args[0].Interface())
		}
		return []reflect.Value{reflect.ValueOf(len(items) < count)}
	})
	function.Call([]reflect.Value{yield})
	return items, failure
}

func run(request request) (any, error) {
	switch request.Do {
	case "connect":
		config := waybill.Config{ServerURL: request.URL, Auth: waybill.Bearer(request.Key)}
		config.Retry.RetryDelay = 10 * time.Millisecond
		config.Timeout = time.Duration(request.Timeout) * time.Second
		config.IdleTimeout = time.Duration(request.Idle) * time.Second
		client = waybill.New(config)
		return nil, nil
	case "call":
		results := call(request.Operation, request)
		err, _ := results[len(results)-1].Interface().(error)
		return results[0].Interface(), err
	case "list":
		return collect(call(request.Operation+"Items", request)[0].Interface(), 1000)
	case "follow":
		params := waybill.ListEventsParams{After: request.After, Types: request.Types, Wait: waybill.Ptr[int64](1)}
		return collect(client.FollowEvents(ctx, &params), request.Count)
	case "stream":
		messages, err := collect(client.StreamEvents(ctx, &waybill.StreamEventsParams{After: request.After}), request.Count)
		for i, message := range messages.([]any) {
			messages.([]any)[i] = message.(waybill.ServerSentEvent).Data
		}
		return messages, err
	case "upload":
		return client.UploadProofFile(ctx, request.Tracking_Number, request.Kind, request.Content_Type, request.File)
	case "download":
		return client.Download(ctx, request.URL)
	}
	var body string
	decode(request.Body, &body)
	verifier, header := waybill.WebhookVerifier{}, http.Header{}
	decode([]byte("["+strings.Trim(string(request.Secrets), "[]")+"]"), &verifier.Secrets)
	for name, value := range request.Headers {
		header.Set(name, value)
	}
	return verifier.Verify([]byte(body), header)
}

func typesOf(results ...any) []string {
	types := []string{}
	for _, result := range results {
		switch value := result.(type) {
		case waybill.Event:
			name := reflect.TypeOf(value.Value).Name()
			if name == "" {
				name = "raw"
			}
			types = append(types, name)
		case waybill.EventList:
			for _, event := range value.Data {
				types = append(types, typesOf(event)...)
			}
		case []any:
			types = append(types, typesOf(value...)...)
		}
	}
	return types
}

func answer(result any, err error) any {
	var failed *waybill.APIError
	if errors.As(err, &failed) {
		problem := failed.Problem()
		return object{"error": object{"status": failed.Status, "code": problem.Code, "errors": problem.Errors}}
	}
	if err != nil {
		return object{"error": object{"message": err.Error()}}
	}
	return object{"result": result, "types": typesOf(result)}
}

func main() {
	for input := json.NewDecoder(os.Stdin); input.More(); {
		var next request
		must(input.Decode(&next))
		must(json.NewEncoder(os.Stdout).Encode(answer(run(next))))
	}
}
