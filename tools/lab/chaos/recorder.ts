/** A part of the service that a request may need. */
export type Part = 'database' | 'storage';

/**
 * How a request ended: `unavailable` is a 503 with Retry-After, `closed` is a connection that ended without a response, and
 * `wrong` is any other response that the load does not expect.
 */
export type Outcome = 'ok' | 'unavailable' | 'closed' | 'wrong';

export interface RecordedRequest {
  /** The parts that the request needs. */
  needs: Part[];
  /** Method, path and result, for messages. */
  text: string;
  /** In milliseconds of `performance.now()`. */
  start: number;
  end: number;
  outcome: Outcome;
}

/** What HAProxy says in place of a server that has closed its connection, and when none is ready. */
export const fromProxy = 'No instance has responded.';
/** Problems that the load causes on purpose, and that of a request whose first attempt is still running. */
const expectedCodes = [
  ...[
    'reference_taken',
    'invalid_transition',
    'status_recorded',
    'proof_submitted',
    'change_not_allowed',
    'signature_required',
    'proof_not_available',
  ],
  'idempotency_in_progress',
];

export type Recorder = ReturnType<typeof createRecorder>;

/** Records every request that is sent with its `fetch`. @param stop aborts when requests are cancelled, and not recorded */
export function createRecorder(stop: AbortSignal) {
  const requests: RecordedRequest[] = [];
  const running = new Set<number>();
  const fetchAndRecord = async (request: Request): Promise<Response> => {
    const start = performance.now();
    running.add(start);
    const { method } = request;
    const { pathname } = new URL(request.url);
    const record = (outcome: Outcome, result: string): void => {
      const text = `${method} ${pathname.slice(0, 60)}: ${result}`;
      const end = performance.now();
      if (!stop.aborted) requests.push({ needs: partsOf(method, pathname), text, start, end, outcome });
    };
    try {
      const response = await fetch(request);
      const bytes = await response.arrayBuffer();
      const { status, headers } = response;
      const { outcome, code } = judge(status, headers, bytes);
      record(outcome, `${status} ${code}`);
      return new Response(bytes.byteLength > 0 ? bytes : null, { status, headers });
    } catch (error) {
      record('closed', reasonOf(error));
      throw error;
    } finally {
      running.delete(start);
    }
  };
  return {
    requests,
    fetch: fetchAndRecord,
    /** Whether a request is running that was sent before `time`. */
    isRunningSince: (time: number): boolean => running.values().some((start) => start < time),
  };
}

function judge(status: number, headers: Headers, bytes: ArrayBuffer): { outcome: Outcome; code: string } {
  if (status < 400) return { outcome: 'ok', code: '' };
  const code = codeOf(bytes);
  if (code === fromProxy) return { outcome: 'closed', code };
  const hasRetryAfter = /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');
  if (status === 503) return { outcome: hasRetryAfter && code === 'unavailable' ? 'unavailable' : 'wrong', code };
  return { outcome: expectedCodes.includes(code) ? 'ok' : 'wrong', code };
}

function codeOf(bytes: ArrayBuffer): string {
  try {
    const { code, detail } = JSON.parse(Buffer.from(bytes).toString());
    if (detail === fromProxy) return detail;
    return expectedCodes.includes(code) || code === 'unavailable' ? code : `${code} ${detail}`;
  } catch {
    return 'without a problem';
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? ('code' in cause && String(cause.code)) || cause.message : String(cause);
}

function partsOf(method: string, path: string): Part[] {
  if (/^\/v1\/(uploads|files)\//.test(path)) return method === 'PUT' || method === 'GET' ? ['database', 'storage'] : [];
  return path.startsWith('/v1/') ? ['database'] : [];
}
