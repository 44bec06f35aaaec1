import { type Amendment, reasons } from './amendment.ts';

const { lists, unknown, comments, keys, retries, pauses, portals, bytes } = reasons;

const speed = 'reading the types of a class takes longer than the rest of decoding';

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
  { why: comments, find: /^( +)yield parsed$/gm, replace: '$1if parsed.data != "":\n$1    yield parsed' },
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
    replace: `def _json(url: str, response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise ApiError(url, response.status_code, response.reason_phrase, response.text) from None


def _safe_json(`,
  },
  {
    why: portals,
    find: /(decode\(\w+, |return )_safe_json\(response\)(?=\)|, response)/g,
    replace: '$1_json(url, response)',
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
