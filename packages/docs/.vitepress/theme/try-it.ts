import { serviceUrl } from './service-url.ts';

/** The form of an operation, from the frontmatter of its page. */
export interface Form {
  operationId: string;
  method: string;
  /** Below the base URL, with parameters in braces. */
  path: string;
  needsKey: boolean;
  isIdempotent: boolean;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; example: string }[];
  /** The example of a JSON body. */
  body?: string;
  /** The media types of a file. */
  fileTypes?: string[];
}

export interface Values {
  key: string;
  /** Sent if the operation takes one. */
  idempotencyKey: string;
  /** By parameter. */
  parameters: Record<string, string>;
  body: string;
  file: File | undefined;
}

export interface Result {
  status: string;
  /** The number of the status; 0 without a response. */
  code: number;
  headers: string;
  body: string;
  /** The content of a response in JSON. */
  json?: unknown;
}

/** Sends the request to the service that serves this page. Never throws: an error is a result, too. */
export async function send(form: Form, values: Values): Promise<Result> {
  const started = performance.now();
  try {
    const response = await fetch(urlOf(form, values, await serviceUrl()), {
      method: form.method,
      headers: headersOf(form, values),
      body: form.fileTypes ? (values.file ?? null) : form.body === undefined ? null : values.body,
      signal: AbortSignal.timeout(30_000),
    });
    const content = await contentOf(response);
    const milliseconds = Math.round(performance.now() - started);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const status = `${response.status} ${response.statusText} · ${milliseconds} ms`;
    return { status, code: response.status, headers, ...content };
  } catch (error) {
    return {
      status: 'No response',
      code: 0,
      headers: '',
      body: error instanceof Error ? error.message : String(error),
    };
  }
}

function urlOf({ path, parameters }: Form, { parameters: values }: Values, base: string): URL {
  const filled = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const url = new URL(base + filled);
  for (const { name, in: place } of parameters) {
    if (place === 'query' && values[name]) url.searchParams.set(name, values[name]);
  }
  return url;
}

const headersOf = (form: Form, { key, idempotencyKey, file }: Values): Record<string, string> => ({
  ...(form.needsKey && key && { Authorization: `Bearer ${key}` }),
  ...(form.isIdempotent && idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  ...(form.body !== undefined && { 'Content-Type': 'application/json' }),
  ...(form.fileTypes && { 'Content-Type': file?.type ?? '' }),
});

/** A random Idempotency-Key; `crypto.randomUUID` exists only in secure contexts. */
export const newKey = (): string =>
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

async function contentOf(response: Response): Promise<Pick<Result, 'body' | 'json'>> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return { body: await beginningOf(response) };
  if (!type.includes('json')) {
    const { size } = await response.blob();
    return { body: size > 0 ? `${size} bytes of ${type}` : '' };
  }
  const json: unknown = await response.json();
  return { body: JSON.stringify(json, null, 2), json };
}
