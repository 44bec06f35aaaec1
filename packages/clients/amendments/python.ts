import { type Amendment, members, reasons } from './amendment.ts';

const { lists, unknown, keys, retries, pauses, portals, empty, streams, secrets, bytes } = reasons;

const speed = 'reading the types of a class takes longer than the rest of decoding';

/** In the place of the generated function, which ends with the stream and reads incomplete events. */
const iterSse = `def iter_sse(open_stream: Callable[[Dict[str, str]], Any], data_kind: str = "text") -> Iterator[ServerSentEvent]:
    """Iterate an event stream until the caller ends it. \`open_stream(extra_headers)\` returns a streaming response of httpx,
    which raises when nothing arrives for too long.

    :raises ApiError: for a response that is no stream, and that a retry does not change
    """
    last_event_id: Optional[str] = None
    server_retry = 1.0
    failures = 0
    while True:
        headers = {"Accept": "text/event-stream"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        retry_after: Optional[str] = None
        try:
            with open_stream(headers) as response:
                if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
                    response.read()
                    if not _default_retry_on("GET", {}, response):
                        url, status = str(response.url), response.status_code
                        raise ApiError(url, status, response.reason_phrase, _safe_json(response))
                    retry_after = response.headers.get("retry-after")
                    raise httpx.ReadError("no stream")
                buffer = ""
                for chunk in response.iter_text():
                    *frames, buffer = (buffer + chunk).replace("\\r\\n", "\\n").split("\\n\\n")
                    if len(buffer) > LONGEST_FRAME:
                        raise ValueError("An event of the stream is too long")
                    for raw in frames:
                        failures = 0
                        parsed = parse_sse_frame(raw, data_kind)
                        if parsed is None:
                            continue
                        if parsed.id is not None:
                            last_event_id = parsed.id
                        if parsed.retry is not None:
                            server_retry = parsed.retry / 1000
                        if parsed.data != "":
                            yield parsed
            pause = server_retry
        except httpx.TransportError:
            failures += 1
            pause = max(server_retry, _retry_delay({"retry_delay": 0.25}, failures, retry_after))
        time.sleep(pause)


`;

const asyncIterSse = iterSse
  .replace('def iter_sse', 'async def aiter_sse')
  .replace('Iterator', 'AsyncIterator')
  .replace('with open_stream', 'async with open_stream')
  .replace('response.read()', 'await response.aread()')
  .replace('for chunk in response.iter_text', 'async for chunk in response.aiter_text')
  .replace('time.sleep', 'await asyncio.sleep');

export const python: Amendment[] = [
  { why: lists, find: /((?:params|base)\["\w+"\] = )encode\(/g, replace: '$1in_query(' },
  {
    why: lists,
    find: /^def encode\(/gm,
    replace: `def in_query(value: Any) -> Any:
    """A value of a query parameter. A list is sent with commas."""
    encoded = encode(value)
    return ",".join(encoded) if isinstance(encoded, list) else encoded


def encode(`,
  },
  {
    why: unknown,
    find: /(target = mapping\.get\(value\).*\n)( +)(if target is not None:)/g,
    replace: '$1$2if target is None:\n$2    return data\n$2$3',
  },
  { why: speed, find: /(hints = )get_type_hints\(/g, replace: '$1_hints(' },
  { why: speed, find: /^def decode\(/gm, replace: '_hints = functools.lru_cache(get_type_hints)\n\n\n$&' },
  { why: speed, find: /^import dataclasses$/gm, replace: '$&\nimport functools' },
  {
    why: streams,
    find: /^_FRAME_DELIMITER = .*/gm,
    replace: '# In characters: far more than any event has.\nLONGEST_FRAME = 16 * 1024 * 1024',
  },
  { why: streams, find: /^def iter_sse\([\s\S]*?(?=^async def aiter_sse)/gm, replace: iterSse },
  { why: streams, find: /^async def aiter_sse\([\s\S]*?(?=^# )/gm, replace: asyncIterSse },
  {
    why: streams,
    find: /(self\._http\.stream\(.*)timeout=timeout\)/g,
    replace:
      '$1timeout=httpx.Timeout(timeout or self._config.get("timeout"), read=self._config.get("idle_timeout", 45)))',
  },
  {
    why: secrets,
    find: /return provider\(\) if callable\(provider\) else provider/g,
    replace: `token = provider() if callable(provider) else provider
    if not re.fullmatch(r"[\\w.~+/-]+=*", token, re.ASCII):
        raise ValueError("The API key is malformed. Check for quotes and line breaks.")
    return token`,
  },
  { why: secrets, find: /^# Auth resolution/gm, replace: 'import re\n\n$&' },
  { why: keys, find: /method\.upper\(\) in \("POST", "PATCH"\)/g, replace: 'method.upper() == "POST"' },
  {
    why: retries,
    find: /return response is None or response\.status_code in _TRANSIENT_STATUS/g,
    replace: `if response is None:
        return True
    after = response.headers.get("retry-after", "")
    if after.isdigit() and int(after) > LONGEST_RETRY_AFTER:
        return False
    return response.status_code in _TRANSIENT_STATUS or (response.status_code == 409 and after != "")`,
  },
  {
    why: retries,
    find: /^_TRANSIENT_STATUS = /gm,
    replace: '# In seconds. After a longer time the caller decides.\nLONGEST_RETRY_AFTER = 60\n_TRANSIENT_STATUS = ',
  },
  { why: pauses, find: /(base \* \(2 \*\* )\(attempt - 1\)/g, replace: '$1min(attempt - 1, 7)' },
  {
    why: portals,
    find: /^def _safe_json\(/gm,
    replace: `def _json(op: Dict[str, Any], url: str, response: httpx.Response) -> Any:
    body = _safe_json(response)
    if not isinstance(body, dict) or body.get(_MEMBERS[op["id"]]) is None:
        raise ApiError(url, response.status_code, response.reason_phrase, response.text if body is None else body)
    return body


def _safe_json(`,
  },
  {
    why: portals,
    find: /(decode\(\w+, |return )_safe_json\(response\)(?=\)|, response)/g,
    replace: '$1_json(op, url, response)',
  },
  {
    why: empty,
    find: /^_OPERATIONS/gm,
    replace: `# Operation -> a member that the JSON of each success has.
_MEMBERS = ${JSON.stringify(Object.fromEntries(members), null, 4)}

$&`,
  },
  {
    why: bytes,
    find: /(def get_proof_file\(.* -> )None(:[\s\S]*?return )None/g,
    replace: '$1bytes$2response.content',
  },
  {
    why: bytes,
    find: /(def get_proof_file_with_headers\(.* -> Envelope\[)None(\]:[\s\S]*?Envelope\(data=)None/g,
    replace: '$1bytes$2response.content',
  },
];
