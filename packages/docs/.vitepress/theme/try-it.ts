/** The form of an operation, from the frontmatter of its page. */
export interface Form {
  operationId: string;
  method: string;
  /** Below the base URL, with parameters in braces. */
  path: string;
  needsKey: boolean;
  isIdempotent: boolean;
  parameters: { name: string; in: 'path' | 'query'; required: boolean }[];
  /** The example of a JSON body. */
  body?: string;
  /** The media types of a file. */
  fileTypes?: string[];
}

export interface Values {
  key: string;
  /** By parameter. */
  parameters: Record<string, string>;
  body: string;
  file: File | undefined;
}

export interface Result {
  status: string;
  headers: string;
  body: string;
}

/** Sends the request to the service that serves this page. Never throws: an error is a result, too. */
export async function send(form: Form, values: Values): Promise<Result> {
  const started = performance.now();
  try {
    const response = await fetch(urlOf(form, values, await basePath()), {
      method: form.method,
      headers: headersOf(form, values),
      body: form.fileTypes ? (values.file ?? null) : form.body === undefined ? null : values.body,
      signal: AbortSignal.timeout(30_000),
    });
    const body = await textOf(response);
    const milliseconds = Math.round(performance.now() - started);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    return { status: `${response.status} ${response.statusText} · ${milliseconds} ms`, headers, body };
  } catch (error) {
    return { status: 'No response', headers: '', body: error instanceof Error ? error.message : String(error) };
  }
}

/** The path of the base URL, which the operator of the service may have changed. */
async function basePath(): Promise<string> {
  const { servers } = await (await fetch('/openapi.json', { signal: AbortSignal.timeout(30_000) })).json();
  return new URL(servers[0].url).pathname;
}

function urlOf({ path, parameters }: Form, { parameters: values }: Values, base: string): URL {
  const filled = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const url = new URL(base + filled, location.origin);
  for (const { name, in: place } of parameters) {
    if (place === 'query' && values[name]) url.searchParams.set(name, values[name]);
  }
  return url;
}

const headersOf = (form: Form, { key, file }: Values): Record<string, string> => ({
  ...(form.needsKey && key && { Authorization: `Bearer ${key}` }),
  ...(form.isIdempotent && { 'Idempotency-Key': newKey() }),
  ...(form.body !== undefined && { 'Content-Type': 'application/json' }),
  ...(form.fileTypes && { 'Content-Type': file?.type ?? '' }),
});

/** Random; `crypto.randomUUID` exists only in secure contexts. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

/** What a stream sends in the first 3 seconds. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => void reader?.cancel(), 3_000);
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  clearTimeout(timer);
  return text;
}

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return beginningOf(response);
  if (!type.includes('json')) {
    const { size } = await response.blob();
    return size > 0 ? `${size} bytes of ${type}` : '';
  }
  const text = await response.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
