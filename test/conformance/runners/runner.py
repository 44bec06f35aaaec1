"""Runs the commands of test/conformance/runner.ts with the Python client: one JSON line in, one out."""

import base64
import json
import re
import sys
from itertools import islice
from typing import get_type_hints

sys.path.insert(0, sys.argv[1])

import httpx
from waybill import ApiError, Waybill, WebhookVerificationError, verify_webhook
from waybill.client import decode, encode


def method(operation, suffix=""):
    return getattr(client, re.sub(r"(?=[A-Z])", "_", operation).lower() + suffix)


def typed(function, name, value):
    return decode(get_type_hints(function)[name], value)


def call(operation, path, query, body=None, idempotency_key=None):
    function = method(operation)
    options = {name: typed(function, name, value) for name, value in query.items()}
    # A field that null removes is only in a dict.
    typed_body = body if body is None or None in body.values() else typed(function, "body", body)
    values = [*path.values(), *([] if body is None else [typed_body])]
    return function(*values, **options, idempotency_key=idempotency_key)


def list_all(operation, query):
    function = method(operation, "_items")
    return list(function(**{name: typed(function, name, value) for name, value in query.items()}))


def follow(count, after=None, types=None):
    return list(islice(client.follow_events(after, types=types and typed(client.list_events, "types", types), wait=1), count))


def stream(count, after=None):
    return [message.data for message in islice(client.stream_events(after=after), count)]


def upload(tracking_number, kind, content_type, file):
    return client.upload_proof_file(tracking_number, kind, content_type, base64.b64decode(file))


def download(url):
    return base64.b64encode(client.download(url)).decode()


def verify(body, headers, secrets):
    return verify_webhook(body.encode(), headers, secrets)


commands = {"call": call, "list": list_all, "follow": follow, "stream": stream, "upload": upload, "download": download, "verify": verify}


def types_of(result):
    data = getattr(result, "data", None)
    events = result if isinstance(result, list) else data if isinstance(data, list) else [result]
    return [type(event).__name__.replace("dict", "raw") for event in events]


def answer(command):
    try:
        result = commands[command.pop("do")](**command)
        return {"result": encode(result), "types": types_of(result)}
    except ApiError as error:
        body = error.body if isinstance(error.body, dict) else {}
        return {"error": {"status": error.status, "code": body.get("code"), "errors": body.get("errors")}}
    except (httpx.TransportError, WebhookVerificationError, ValueError) as error:
        return {"error": {"message": str(error)}}


http = httpx.Client()  # one, because it reads the certificates of the machine

for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "connect":
        limits = {"timeout": request.get("timeout", 30), "idle_timeout": request.get("idle", 45)}
        client = Waybill(request["key"], request["url"], **limits, retry_delay=0.01, http_client=http)
        print("{}", flush=True)
    else:
        print(json.dumps(answer(request)), flush=True)
