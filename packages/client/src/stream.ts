import { checkKeys } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import { pause, startDeadline } from './deadline.ts';
import { type CallContext, ConnectionError, TimeoutError } from './errors.ts';
import type { StreamParams, WaybillEvent } from './events.ts';
import type { Hooks } from './hooks.ts';
import { aborted, type Connection, retryDelay, type Send } from './send.ts';

/** The longest block in characters: far more than any event has. */
const maxLength = 16 * 1024 * 1024;

/** See `Operations.streamEvents`. @param timeout milliseconds until a stream must have opened */
export async function* streamEvents<Type extends WaybillEvent['type']>(
  send: Send,
  { onRetry, idleTimeout }: Hooks & Pick<Connection, 'idleTimeout'>,
  timeout: number,
  params: StreamParams<Type> = {},
  options: Pick<CallOptions, 'signal' | 'headers'> = {},
): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined> {
  checkKeys('streamEvents options', options, ['signal', 'headers']);
  const { signal } = options;
  const unlimited = Number.POSITIVE_INFINITY;
  let lastId: string | undefined;
  let retry = 0;
  let failures = 0;
  for (;;) {
    const { data, requestId, attempts } = await send(
      'streamEvents',
      { ...params },
      {
        signal,
        headers: { ...options.headers, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
        attemptTimeout: timeout,
        timeout: unlimited,
        maxRetries: unlimited,
      },
    );
    const context: CallContext = { operation: 'streamEvents', idempotencyKey: null, attempts, requestId };
    let delay = retry;
    try {
      for await (const block of readBlocks(data as ReadableStream<Uint8Array>, idleTimeout, signal, context)) {
        failures = 0;
        retry = block.retry ?? retry;
        // Before the id: a caller that ends the iteration has this event.
        if (block.data !== undefined) yield JSON.parse(block.data) as Extract<WaybillEvent, { type: Type }>;
        lastId = block.id ?? lastId;
        if (signal?.aborted) throw aborted(context, signal);
      }
      delay = retry;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      delay = Math.max(retry, retryDelay(error, ++failures));
      onRetry?.({ operation: 'streamEvents', attempt: attempts, delay, error });
    }
    if (!(await pause(delay, signal))) throw aborted(context, signal);
  }
}

/** Yields the blocks of a stream until it ends. Cancels the stream when the caller wants no more. */
async function* readBlocks(
  stream: ReadableStream<Uint8Array>,
  idleTimeout: number,
  signal: AbortSignal | undefined,
  context: CallContext,
): AsyncGenerator<Block, void, undefined> {
  const reader = stream.getReader();
  try {
    const decoder = new TextDecoder();
    const parse = blockParser();
    for (;;) {
      const deadline = startDeadline(idleTimeout, signal);
      const { done, value } = await deadline
        .race(reader.read())
        .catch((cause: unknown) => {
          if (signal?.aborted) throw aborted(context, signal);
          if (!deadline.isOver()) throw new ConnectionError('streamEvents: the connection failed', context, { cause });
          throw new TimeoutError(`streamEvents: nothing arrived in ${idleTimeout} ms`, context, { cause });
        })
        .finally(deadline.end);
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => {}); // it may have failed already
  }
}

/** What one block of a stream sets. */
interface Block {
  /** The position to resume after. */
  id?: string;
  /** The lines of `data`, joined. */
  data?: string;
  /** Milliseconds to wait before reconnecting. */
  retry?: number;
}

/**
 * Creates a parser of Server-Sent Events (HTML Standard, section 9.2.6), which takes the text as it arrives.
 * @throws {RangeError} from the parser for a block that is too long
 */
function blockParser(): (text: string) => Block[] {
  let rest = '';
  let block: Block = {};
  return (text) => {
    // A CR at the end may be the first half of a CRLF.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    const complete: Block[] = [];
    for (const line of lines) {
      if (line === '') {
        complete.push(block);
        block = {};
        continue;
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`;
      else if (name === 'id' && !value.includes('\0')) block.id = value;
      else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value);
    }
    if (rest.length + (block.data?.length ?? 0) > maxLength) throw new RangeError('an event of the stream is too long');
    return complete;
  };
}
